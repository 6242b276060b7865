"""Each figure of document 003 shows the values of its block."""

import pytest
from hierarchy_table import table_of, values, words

from deepnets.documents.hierarchy.figures import data as of_data
from deepnets.documents.hierarchy.figures import sliders

pytestmark = pytest.mark.usefixtures("off_screen")


@pytest.fixture(scope="module")
def table():
    return table_of()


def test_the_tree_joins_the_items_that_share_a_branch(table):
    figure = of_data.tree(table)
    strengths = values(table, "theory_singular_value")
    said = [
        f"level {level}: {modes},\nsingular value {strengths[first]:.0f}"
        for level, modes, first in [(0, "1 mode", 0), (1, "1 mode", 1), (2, "2 modes", 2), (3, "4 modes", 4)]
    ]
    assert words(figure)[:4] == said
    edges = {tuple(line.get_xdata()) for line in figure.axes[0].lines if line.get_linestyle() != "None"}
    assert {(3.5, 1.5), (3.5, 5.5), (1.5, 0.5), (1.5, 2.5), (0.5, 0), (0.5, 1), (6.5, 7)} <= edges
    assert len(edges) == 1 + 2 + 4 + 8


def test_a_run_of_the_sliders_that_diverges_is_drawn_up_to_its_last_record(table):
    only = table[(table["block"] != "sliders") | (table["scale"] == 1)]
    by_rate = sliders.sweep_loss(only).axes[3]
    stopped = only.loc[(only["metric"] == "diverged") & (only["block"] == "sliders"), "step"].item()
    labels = [text.get_text() for text in by_rate.get_legend().get_texts()]
    assert labels == ["rate 15", f"rate 100000, diverged at {stopped}"]
    # Losses above 10²⁰, just before they overflow, do not change the limits of the axis.
    assert by_rate.get_ylim()[1] == 2
