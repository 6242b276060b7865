"""The chart of document 004: for each slider position, marks and texts equal the records of the runs."""

import numpy as np

import small_tables
from chart_reader import FOUR_DIGITS
from deepnets.documents.zero_init.charts import width_and_init


def test_the_chart_shows_the_rank_of_the_chosen_width_and_initialisation(reader):
    table = small_tables.zero_init()
    reader.open(width_and_init(table))
    for width, init in ((4, "partial_identity"), (16, "partial_identity"), (16, "zero")):
        reader.move(place_width=int(width == 16), place_init=int(init == "zero"))
        runs = table[(table["width"] == width) & (table["init"] == init)]
        drawn = iter(np.array_split(np.array(reader.drawn("line"), dtype=object), [_read_steps(runs, "rank")]))
        bands = iter(np.array_split(np.array(reader.drawn("area"), dtype=object), [_read_steps(runs, "rank")]))
        for metric, unit in (("rank", 1), ("train_accuracy", 100)):
            rows = runs[runs["metric"] == metric].drop_duplicates(["seed", "step"])
            by_seed = unit * rows.pivot(index="step", columns="seed", values="value")
            line, band = next(drawn), next(bands)
            assert [mark["step"] for mark in line] == list(by_seed.index)
            assert np.allclose([mark["value"] for mark in line], by_seed[1], rtol=FOUR_DIGITS)
            assert np.allclose([mark["low"] for mark in band], by_seed.min(axis=1), rtol=FOUR_DIGITS)
            assert np.allclose([mark["high"] for mark in band], by_seed.max(axis=1), rtol=FOUR_DIGITS)
    reader.move(place_width=0)
    assert reader.is_pale()
    assert "not simulated; only at width of the hidden layers 16; or at init" in reader.told()


def _read_steps(runs, metric):
    return runs[runs["metric"] == metric]["step"].nunique()
