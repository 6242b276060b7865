import matplotlib
import matplotlib.pyplot as plt
import pandas as pd
import pytest

from workflow.deepnets.figures._which_runs import lost, say_which_runs, smallest

RUNS = pd.DataFrame(
    {
        "depth": [3, 2, 2, 2],
        "scale": [0.1, 0.5, 1.0, 0.5],
        "seed": 0,
        "step": 0,
        "metric": "loss",
        "index": 0,
        "value": [1.0, 2.0, 3.0, 4.0],
    }
)


def test_smallest_narrows_axis_by_axis_and_says_so():
    rows, words = smallest(RUNS, "depth", "scale", "seed")
    # Scale 0.1 exists at depth 3 alone.
    assert rows["value"].tolist() == [2.0, 4.0]
    assert words == "Shown: depth 2 (of 2, 3), scale 0.5 (of 0.5, 1.0)"


def test_smallest_says_nothing_where_there_is_nothing_to_choose():
    rows, words = smallest(RUNS, "seed")
    assert (len(rows), words) == (4, "")


def test_lost_tells_of_diverged_runs_alone():
    assert lost(RUNS) == ""
    assert lost(RUNS.assign(metric="diverged").head(1)) == "Here the only run left the finite numbers at update 0"


@pytest.mark.parametrize("legend", [True, False])
def test_words_lie_above_all_panels_and_on_no_legend(off_screen, legend):
    figure, axis = plt.subplots(figsize=(3.4, 2.5))
    axis.plot([1, 2], label="line")
    if legend:
        figure.legend(loc="outside upper center", title="what lines share")
    say_which_runs(figure, "", "Shown: depth 2 (of 2, 3), scale 0.5 (of 0.5, 1.0), width 1024 (of 1024, 2048)", "Lost")
    figure.canvas.draw()
    (words,) = [text for text in figure.findobj(matplotlib.text.Text) if text.get_text().startswith("Shown:")]
    assert words.get_text().replace("\n", " ").endswith("2048) Lost" + " what lines share" * legend)
    box = words.get_window_extent()
    assert 0 < box.x0 < box.x1 < figure.bbox.width
    assert axis.get_window_extent().y1 < box.y0 < box.y1 < figure.bbox.height
    if legend:
        (entry,) = figure.legends[0].get_texts()
        assert entry.get_window_extent().y1 < box.y0
