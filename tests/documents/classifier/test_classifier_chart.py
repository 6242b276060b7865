"""With its sliders at any place, document 000's chart shows what the runs recorded."""

import numpy as np

import small_tables
from chart_reader import THREE_DIGITS, places_of, recorded
from deepnets.documents.classifier.charts import depth_and_scale


def test_singular_values_of_the_chosen_depth_and_scale(reader):
    table = small_tables.classifier()
    table["learning_rate"] = table["block"].astype(str).map({"depths": 3, "near_zero": 10})
    chart = depth_and_scale(table).to_dict()
    assert places_of(chart) == {"place_depth": 3, "place_scale": 2}
    reader.open(chart)
    for depth, scale, block, seed in ((1, 1, "depths", 0), (2, 1, "depths", 0), (3, 1e-4, "near_zero", 1)):
        reader.move(place_depth=depth - 1, place_scale=int(scale == 1))
        run = {"block": block, "depth": depth, "scale": scale, "seed": seed}
        values, losses = recorded(table, "singular_value", **run), recorded(table, "train_loss", **run)
        drawn = [
            mark for mark in reader.drawn("line") if mark["index"] > 1 or mark["value"] != losses.get((0, mark["step"]))
        ]
        assert {mark["step"] for mark in drawn} == {step for _, step in values}
        assert f"grid {block.replace('_', ' ')}" in reader.told()
        last = max(step for _, step in losses)
        assert f"training loss {losses[0, last]:.3g} after {last:,} updates" in reader.told()
        rate = {"depths": 3, "near_zero": 10}[block]
        assert f"learning rate {rate}, " in reader.told()
        shown = {(mark["index"] - 1, mark["step"], mark["value"]) for mark in reader.drawn("line")}
        for (index, step), value in values.items():
            assert any(
                (mode, at) == (index, step) and np.isclose(each, value, rtol=THREE_DIGITS) for mode, at, each in shown
            )
        for (_, step), value in losses.items():
            assert any(at == step and np.isclose(each, value, rtol=THREE_DIGITS) for _, at, each in shown)
        # Three singular values on two scales, and the loss.
        assert len(reader.drawn("line")) == 7 * len(losses)
    reader.move(place_depth=0, place_scale=0)
    assert reader.shown("place_scale") == "0.0001"
    assert reader.is_pale()
    assert "not simulated; only at depth (matrices) 3; or at factor on their product 1" in reader.told()
