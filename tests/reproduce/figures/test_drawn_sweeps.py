import hashlib

import numpy as np
import pandas as pd
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

from drawn_tables import numbers_of_chart, numbers_of_figure
from evidence import table as rows_of
from reproduce.charts.all_sweeps import sweeps as chart_of
from reproduce.figures.all_sweeps import sweeps
from reproduce.tables.rows import NotRecordedError
from reproduce.tables.sweeps import sweeps_of
from reproduce.tables.table import Table

pytestmark = pytest.mark.usefixtures("off_screen")


def run(seed, end, **axes):
    """Return a run that ends at a loss, with a second index, and a metric that is equal for all runs."""
    return {**axes, "seed": seed}, {"loss": {(0, 0): 99.0, (5, 0): end, (5, 1): -end}, "constant": {(0, 0): 1.0}}


def table(runs):
    return Table.by_hand(rows_of(runs))


# The learning rate follows from the depth.
RUNS = [
    run(seed, 10 * depth + scale + seed, depth=depth, scale=scale, rate=1 / depth, init=init)
    for seed in (0, 2)
    for depth in (1, 2)
    for scale, init in ((0.5, "small_start"), (3.0, "large_start"))
]


def panels_of(figure):
    return {part.get_suptitle(): part.axes for part in figure.subfigs}


def lines_of(axis):
    return [np.transpose(line.get_data()).tolist() for line in axis.get_lines()]


def test_points_are_means_over_seeds_of_the_last_values():
    by_heading = panels_of(sweeps(table(RUNS)))
    follow = "scale (0.5, 3), rate (0.5, 1), 2 seeds"
    assert list(by_heading) == [f"depth: {follow}", f"init: {follow}"]
    (loss,), (by_name,) = by_heading.values()
    # The axis `init` has names, so it is kept, and the scale follows from it.
    assert lines_of(loss) == [[[1, 14], [2, 24]], [[1, 11.5], [2, 21.5]]]
    bars = [bar.tolist() for bars in loss.collections for bar in bars.get_segments()]
    assert bars[0] == [[1, 13], [1, 15]]
    assert [text.get_text() for text in loss.figure.legends[0].get_texts()] == ["large_start", "small_start"]
    # Names are along y, and no line joins them.
    assert [line.get_xdata().tolist() for line in by_name.get_lines()] == [[14, 11.5], [24, 21.5]]
    assert [each.get_linestyle() for each in by_name.get_lines()] == ["None", "None"]
    by_name.figure.canvas.draw()
    assert [label.get_text() for label in by_name.get_yticklabels()] == ["large_start", "small_start"]


@given(st.sets(st.tuples(*[st.integers(1, 3)] * 4)))
def test_no_point_is_a_mean_over_another_axis(points):
    points |= {(1, 1, 1, 1), (2, 1, 1, 1)}
    names = ("depth", "scale", "rate", "block")
    # Each setting has a value of its own, with all seeds.
    runs = [
        run(seed, float(value), **dict(zip(names, point, strict=True)))
        for value, point in enumerate(sorted(points))
        for seed in (0, 1)
    ]
    for sweep in sweeps_of(rows_of(runs)):
        assert (sweep.points["low"] == sweep.points["high"]).all()
        lines = sweep.points.groupby(sweep.beside) if sweep.beside else [((), sweep.points)]
        assert all(line[sweep.axis].is_unique and len(line) > 1 for _, line in lines)


def test_runs_that_diverged_are_left_out_with_a_note():
    axes, metrics = run(1, 7.0, depth=3, scale=0.5, rate=1 / 3, init="small_start")
    figure = sweeps(table([*RUNS, (axes, {**metrics, "diverged": {(4, 0): 1.0}})]))
    assert figure.get_suptitle() == "Here 1 of 9 runs left the finite numbers at step 4"
    assert lines_of(figure.subfigs[0].axes[0])[0] == [[1, 14], [2, 24]]


def test_without_a_sweep_figure_and_chart_give_the_reason():
    for draw in (sweeps, chart_of):
        with pytest.raises(NotRecordedError, match="no metric changes along an axis that the config sweeps"):
            draw(table(RUNS[:1]))


def test_the_figure_and_the_chart_have_the_recorded_numbers_and_looks():
    drawn = [numbers_of_figure(sweeps, [table(RUNS)]), numbers_of_chart(chart_of, [table(RUNS)], (None, 0, 1))]
    text = pd.concat(drawn).to_csv(index=False, float_format="%.5g")
    # If it differs, read it, and record its digest.
    assert hashlib.sha256(text.encode()).hexdigest()[:8] == "12de4352", text


def test_the_chart_draws_the_points_of_the_figure():
    chart = chart_of(table(RUNS)).to_dict()
    rows = [row for row in chart["datasets"]["points"] if row["sweep"] == 0 and row["init"] == "large_start"]
    assert [(row["x"], row["mean"], row["low"], row["high"]) for row in rows] == [(1, 14, 13, 15), (2, 24, 23, 25)]
    binds = {each["name"]: each["bind"] for each in chart["params"] if "bind" in each}
    assert binds["choice"]["labels"] == ["depth, a colour for each init", "init, a colour for each depth"]
    assert binds["only_init"]["labels"] == ["all", "large_start", "small_start"]
    assert "loss against depth, a colour for each init" in vl_convert.vegalite_to_svg(chart)
