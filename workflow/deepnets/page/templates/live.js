/*
 * Theory that the page computes at the sliders' values, with the equations of workflow/deepnets/theory, also for
 * settings that were not simulated. controls.js calls attachLive(view, live) with the view of a chart and the entries in
 * its usermeta.live. All further names are local.
 */
var attachLive = (function () {
  "use strict";

  /* Call `update` when one of the signals changes. This runs within the same pass of Vega's dataflow: the chart is
     drawn only once. */
  function follow(view, signals, update) {
    signals.forEach(function (signal) {
      view.addSignalListener(signal, update);
    });
  }

  /* Iterate the exact map of decoupled, balanced modes, one per level of a tree (linear_learning.mode_strengths):
     a <- a + l (s - a^2) a. Return one array of strengths per level, over updates; the arrays end
     before the loss is not finite. */
  function modeStrengths(theory, rate, scale) {
    var speed = (2 * rate) / theory.entries;
    var roots = theory.singular_values.map(function () {
      return Math.sqrt(theory.start * scale * scale);
    });
    var strengths = roots.map(function () {
      return [];
    });
    for (var step = 0; step <= theory.steps; step += 1) {
      var squares = roots.map(function (root) {
        return root * root;
      });
      if (!squares.every(function (square) { return isFinite(square * square); })) {
        break;
      }
      for (var level = 0; level < squares.length; level += 1) {
        strengths[level].push(squares[level]);
        roots[level] += speed * (theory.singular_values[level] - squares[level]) * roots[level];
      }
    }
    return strengths;
  }

  /* Return the mean squared error over all entries (linear_learning.mode_loss) at every update. */
  function losses(theory, strengths) {
    return strengths[0].map(function (_, step) {
      return strengths.reduce(function (sum, values, level) {
        var missing = theory.singular_values[level] - values[step];
        return sum + (theory.modes[level] * missing * missing) / theory.entries;
      }, 0);
    });
  }

  /* Return the similarities V A V^T of the shown items, row by row, in percent of the largest one. The projector of a
     level averages below each node of the level, and subtracts the average one level up (tree_spectrum.projectors). */
  function similarities(theory, strengths, step) {
    var levels = theory.modes.length - 1;
    var cells = [];
    for (var cell = 0; cell < theory.shown * theory.shown; cell += 1) {
      var row = Math.floor(cell / theory.shown);
      var column = cell % theory.shown;
      var sum = 0;
      var above = 0;
      for (var level = 0; level <= levels; level += 1) {
        var leaves = Math.pow(theory.branches, levels - level);
        var together = Math.floor(row / leaves) === Math.floor(column / leaves);
        var average = together ? 1 / leaves : 0;
        sum += strengths[level][step] * (average - above);
        above = average;
      }
      cells.push({ cell: cell, value: (100 * sum) / theory.unit });
    }
    return cells;
  }

  function treeLearning(view, theory) {
    var strengths;

    function showItems() {
      var epoch = view.signal("epoch");
      var there = epoch < strengths[0].length;
      var words = there ? "" : "not finite from\nepoch " + strengths[0].length + " on";
      view.data("theory_similarities", there ? similarities(theory, strengths, epoch) : []);
      view.data("theory_words", [{ text: words }]);
      view.signal("found", there
        ? "in theory the mean squared error is " + Number(losses(theory, strengths)[epoch].toPrecision(3)) +
          ", and the levels of the tree are learned to " + strengths.map(function (values, level) {
            return Math.round((100 * values[epoch]) / theory.singular_values[level]);
          }).join(", ") + " %"
        : "theory is " + words.replace("\n", " "));
    }

    function learn() {
      strengths = modeStrengths(
        theory,
        theory.rates[view.signal("rate_place")],
        theory.scales[view.signal("scale_place")]
      );
      view.data("theory_modes", strengths.map(function (values, level) {
        return { level: level, value: values };
      }));
      view.data("theory_losses", [{ value: losses(theory, strengths) }]);
      showItems();
    }

    follow(view, ["rate_place", "scale_place"], learn);
    follow(view, ["epoch"], showItems);
    learn();
    view.runAsync();
  }

  return function attachLive(view, live) {
    live.forEach(function (entry) {
      if (entry.kind === "tree_learning") {
        treeLearning(view, entry);
      }
    });
  };
})();
