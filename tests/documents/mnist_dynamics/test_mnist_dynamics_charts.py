"""The charts of document 001: for each slider position, marks and texts equal the records of the runs."""

import numpy as np

import small_tables
from chart_reader import FOUR_DIGITS, places_of
from deepnets.documents.mnist_dynamics.charts import learning_curves


def test_the_chart_shows_learning_curves_of_the_chosen_depth_and_rule(reader):
    table = small_tables.mnist_dynamics()
    chart = learning_curves(table).to_dict()
    # Only axes with several values have a control.
    assert places_of(chart) == {"place_depth": 2, "place_rule": 2}
    reader.open(chart)
    assert "initialisation row normalized" in reader.told()
    for depth, rule, seeds in ((2, "covariance", "1 seed"), (3, "covariance", "3 seeds"), (2, "samples", "1 seed")):
        reader.move(place_depth=depth - 2, place_rule=["covariance", "samples"].index(rule))
        assert seeds in reader.texts()
        run = table[(table["depth"] == depth) & (table["rule"] == rule)]
        # The rules are compared on the one seed that ran under both.
        run = run[run["seed"] == 0] if depth == 2 else run
        for kind, metric, unit in (("loss", "train_loss", 1), ("accuracy", "train_accuracy", 100)):
            by_step = unit * run[run["metric"] == metric].groupby("step")["value"].agg(["mean", "min", "max"])
            curves = [mark for mark in reader.drawn("line") if "value" in mark]
            half = curves[: len(by_step)] if kind == "loss" else curves[len(by_step) :]
            assert [mark["step"] for mark in half] == list(by_step.index)
            assert np.allclose([mark["value"] for mark in half], by_step["mean"], rtol=FOUR_DIGITS)
            bands = reader.drawn("area")
            half = bands[: len(by_step)] if kind == "loss" else bands[len(by_step) :]
            assert np.allclose([mark["low"] for mark in half], by_step["min"], rtol=FOUR_DIGITS)
            assert np.allclose([mark["high"] for mark in half], by_step["max"], rtol=FOUR_DIGITS)
            last = by_step["mean"].iloc[-1]
            assert (f"training loss {last:.3g}," if kind == "loss" else f"accuracy {last:.1f} %") in reader.told()
    reader.move(place_depth=1)
    assert reader.is_pale()
    assert "not simulated; only at depth (matrices) 2; or at update rule covariance" in reader.told()
