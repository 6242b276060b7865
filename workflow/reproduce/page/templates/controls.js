/*
 * Charts with the page's own controls. drawChart(holder, specification, anchor) draws a Vega-Lite chart into an element.
 * Above the chart, it puts a slider or a list for each parameter with a `bind`, a button Reset, a link to the setting,
 * and a sentence on what the chart shows. Screen readers announce this sentence and skip the picture, because hundreds
 * of marks mean nothing when read aloud. Outside the page, the same specification opens with Vega's controls.
 */
var drawChart = (function () {
  "use strict";

  /* Pixels: panels of at least WIDE take the width of the window, up to WIDEST. BESIDE is for axes and legends. */
  var WIDE = 300;
  var WIDEST = 540;
  var BESIDE = 110;

  function make(tag, attributes, children) {
    var made = document.createElement(tag);
    Object.entries(attributes).forEach(function (pair) {
      made.setAttribute(pair[0], pair[1]);
    });
    made.append.apply(made, children || []);
    return made;
  }

  function fit(part, room) {
    if (typeof part.width === "number" && part.width >= WIDE) {
      part.width = Math.min(Math.max(room - BESIDE, 150), WIDEST);
    }
    ["vconcat", "hconcat", "layer"].forEach(function (kind) {
      (part[kind] || []).forEach(function (each) {
        fit(each, room);
      });
    });
  }

  /* Return a control: its elements, and functions that read and set its value. texts: one per place of a slider. */
  function control(parameter, texts) {
    var bind = parameter.bind;
    var many = bind.input === "select";
    var value = make("span", { class: "value", "aria-hidden": "true" });
    var input = many
      ? make("select", { name: parameter.name }, bind.options.map(function (option, place) {
          return make("option", { value: option }, [bind.labels ? bind.labels[place] : String(option)]);
        }))
      : make("input", { name: parameter.name, type: "range", min: bind.min, max: bind.max, step: bind.step });
    var words = (bind.name || parameter.name).trim();
    var named = make("span", {}, [words]);
    var made = {
      name: parameter.name.replace(/^place_/, ""),
      words: words,
      signal: parameter.name,
      first: parameter.value,
      input: input,
      row: make("label", { class: "control" }, many ? [named, input] : [named, input, value]),
      number: function () {
        return Number(input.value);
      },
      text: function () {
        return many ? input.selectedOptions[0].textContent : texts[made.number()];
      },
      put: function (place) {
        input.value = place;
        made.tell();
      },
      /* Return the value whose text is in a link; undefined if the chart does not have this value. */
      find: function (text) {
        var all = many ? Array.from(input.options, function (option) { return option.textContent; }) : texts;
        var place = all.indexOf(text);
        return place < 0 ? undefined : many ? bind.options[place] : place;
      },
      /* Mark the places without a simulation, given the places of all further controls. */
      mark: function (simulated) {
        var marks = many ? input.options : made.row.querySelectorAll(".marks > i");
        Array.from(marks).forEach(function (each, place) {
          each.classList.toggle("gap", !simulated(many ? bind.options[place] : place));
        });
      },
      tell: function () {
        if (!many) {
          value.textContent = made.text();
          input.setAttribute("aria-valuetext", made.text());
        }
      },
    };
    made.put(parameter.value);
    return made;
  }

  return async function drawChart(holder, specification, anchor) {
    var labels = (specification.usermeta || {}).labels;
    var parameters = specification.params || [];
    var drawn = structuredClone(specification);
    /* The page shows the title, and the words under the controls describe the setting. */
    delete drawn.title;
    (drawn.params || []).forEach(function (parameter) {
      delete parameter.bind;
      if (parameter.name === "in_page") {
        parameter.value = true;
      }
    });
    drawn.background = "transparent";
    /* The holder's width is no measure: the holder is only as wide as its picture. */
    fit(drawn, (holder.closest("section") || holder.parentElement).clientWidth);

    var controls = parameters.filter(function (each) { return each.bind; }).map(function (parameter) {
      return control(parameter, labels[parameter.name]);
    });
    var axes = parameters.filter(function (each) { return each.name.startsWith("place_"); });
    var absent = (parameters.find(function (each) { return each.name === "absent"; }) || {}).value || {};
    if (Object.keys(absent).length) {
      controls.filter(function (each) { return each.input.type === "range"; }).forEach(function (each) {
        var marks = labels[each.signal].map(function () { return make("i", {}); });
        each.row.append(make("span", { class: "marks", "aria-hidden": "true" }, marks));
      });
    }
    var description = make("p", { class: "told", role: "status" });
    var reset = make("button", { type: "button" }, ["Reset"]);
    var link = make("a", {}, ["Link to this setting"]);
    var picture = make("div", { class: "drawn", "aria-hidden": "true" });
    /* `ast`: Vega interprets expressions, because the page's security policy forbids compiling them. */
    var view = (
      await vegaEmbed(picture, drawn, {
        ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: false, config: { aria: false },
      })
    ).view;
    /* Vega describes its container by the setting that it drew first. */
    ["role", "aria-label", "aria-roledescription"].forEach(function (name) {
      picture.removeAttribute(name);
    });

    function address() {
      var state = new URLSearchParams(controls.map(function (each) { return [each.name, each.text()]; }));
      return "#" + anchor + "?" + state;
    }
    /* Return the key of the chosen setting (setting_chart.py), with `place` for the axis of `signal` if given. */
    function key(signal, place) {
      return axes.map(function (axis) {
        var chosen = controls.find(function (each) { return each.signal === axis.name; });
        return axis.name === signal ? place : chosen ? chosen.number() : axis.value;
      }).join(" ");
    }
    async function update() {
      var missing = absent[key()];
      link.href = address();
      controls.forEach(function (each) {
        each.mark(function (place) { return !(key(each.signal, place) in absent); });
      });
      picture.classList.toggle("ghost", Boolean(missing));
      if (missing) {
        var setting = controls.map(function (each) { return each.words + " " + each.text(); }).join(", ");
        description.textContent = setting + ": " + missing.replaceAll("\n", "; ") +
          ". The pale picture shows the previous simulated setting.";
        return;
      }
      controls.forEach(function (each) {
        view.signal(each.signal, each.number());
      });
      await view.runAsync();
      if (parameters.some(function (each) { return each.name === "sentence"; })) {
        var sentence = view.signal("sentence");
        description.textContent = sentence.replace(/^[a-z]/, function (first) { return first.toUpperCase(); }) + ".";
      }
    }
    /* Show the setting in the query after an anchor. Controls that are not in the query return to their first value. */
    async function show(state) {
      var wanted = new URLSearchParams(state);
      controls.forEach(function (each) {
        var place = wanted.has(each.name) ? each.find(wanted.get(each.name)) : undefined;
        each.put(place === undefined ? each.first : place);
      });
      await update();
    }

    controls.forEach(function (each) {
      each.input.addEventListener(each.input.tagName === "SELECT" ? "change" : "input", function () {
        each.tell();
        update();
      });
    });
    reset.addEventListener("click", function () {
      show("");
    });
    await update();
    var actions = make("div", { class: "actions" }, anchor ? [reset, link] : [reset]);
    var group = make("div", { class: "controls", role: "group", "aria-label": "Controls of the chart" });
    group.append.apply(group, controls.map(function (each) { return each.row; }));
    group.append(actions);
    var unseen = make("p", { class: "unseen" }, [specification.description || ""]);
    holder.replaceChildren(group, description, unseen, picture);
    return { view: view, show: show };
  };
})();
