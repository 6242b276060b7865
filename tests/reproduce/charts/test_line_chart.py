"""A chart of metrics against steps: controls follow the config, lines and sentences are means over seeds."""

import pytest

from evidence import table
from reproduce.charts.line_chart import line_chart
from reproduce.tables.selection import Selection


def run(seed, *, scale, offset=0.0, **axes):
    loss = {(step, 0): scale / (1 + step) + seed + offset for step in range(3)}
    return {"seed": seed, "scale": scale, **axes}, {"loss": loss}


def draw(runs, *described, metrics=None, **words):
    return line_chart(table(runs), metrics or {"loss": "training loss"}, *described, title="Loss", **words).to_dict()


def param(chart, name):
    return next((each for each in chart["params"] if each["name"] == name), None)


SWEPT = [run(seed, scale=scale, depth=depth) for seed in (0, 1) for scale in (0.3, 6.0) for depth in (1, 2)]


def test_only_a_swept_axis_has_a_control():
    chart = draw(SWEPT, names={"scale": "initial weight"})
    assert param(chart, "place_depth")["bind"]["max"] == param(chart, "place_scale")["bind"]["max"] == 1
    assert param(chart, "place_scale")["bind"]["name"] == "initial weight "
    assert param(chart, "place_init") is None
    assert param(draw(SWEPT[:1]), "place_scale") is None


def test_the_controls_start_at_the_setting_of_the_document():
    charts = {scale: draw(SWEPT, Selection("toy", depth=[2, 3], scale=scale)) for scale in (0.3, 6.0)}
    assert {scale: param(chart, "place_scale")["value"] for scale, chart in charts.items()} == {0.3: 0, 6.0: 1}
    assert param(charts[6.0], "place_depth")["value"] == 1


def test_lines_and_sentences_are_means_over_seeds_with_their_range():
    chart = draw(SWEPT)
    (row,) = [row for row in chart["datasets"]["loss"] if row["key"] == "1 1"]
    assert row == {"key": "1 1", "step": [0, 1, 2], "value": [6.5, 3.5, 2.5], "low": [6, 3, 2], "high": [7, 4, 3]}
    assert "training loss 2.5 after 2 layers\\n2 seeds" in str(
        param(draw(SWEPT, step="layer"), "said")["value"]["1 1"].replace("\n", "\\n")
    )


def test_a_metric_without_values_has_no_panel_and_a_chart_without_panels_says_why():
    assert len(draw(SWEPT, metrics={"loss": "loss", "accuracy": "accuracy"})["vconcat"]) == 1
    assert "Nothing to show: all 8 runs recorded no such values" in str(draw(SWEPT, metrics={"accuracy": "accuracy"}))


def test_a_metric_with_several_indices_is_refused():
    layers = [({"seed": 0}, {"weight": {(0, 0): 1.0, (0, 1): 2.0}})]
    with pytest.raises(ValueError, match=r"weight has several indices; choose one: runs_of\(table, index=0\)"):
        draw(layers, metrics={"weight": "weight"})


def test_a_logarithmic_panel_frames_the_values_above_0():
    runs = [run(0, scale=1, offset=-1 / 3)]
    kinds = [
        [
            layer["encoding"]["y"].get("scale", {}).get("type")
            for layer in draw(runs, **words)["vconcat"][0]["layer"][:2]
        ]
        for words in ({}, {"logarithmic": ["loss"]})
    ]
    assert kinds == [[None, None], [None, "log"]]
    ends = param(draw(runs, logarithmic=("loss",)), "frames")["value"]
    (frame,) = ends.values()
    assert frame["loss"] == pytest.approx([1 / 6, 2 / 3], rel=1e-3)
