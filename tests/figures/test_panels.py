import matplotlib.pyplot as plt
import pandas as pd
import pytest

from workflow.deepnets.figures.panels import say_nothing_to_show, why_nothing


def runs(*diverged):
    """Rows of one run per argument: the update at which it diverged, or None."""
    rows = [{"seed": seed, "step": 0, "metric": "loss", "index": 0, "value": 2.0} for seed in range(len(diverged))]
    rows += [
        {"seed": seed, "step": step, "metric": "diverged", "index": 0, "value": 1.0}
        for seed, step in enumerate(diverged)
        if step is not None
    ]
    return pd.DataFrame(rows, columns=["seed", "step", "metric", "index", "value"])


@pytest.mark.parametrize(
    ("diverged", "reason"),
    [
        ((), "the config asks for no such runs"),
        ((3, 3), "all 2 runs left the finite numbers at update 3"),
        ((3, 7, 5), "all 3 runs left the finite numbers between updates 3 and 7"),
        ((4,), "the only run left the finite numbers at update 4"),
        ((4, None), "1 of 2 runs left the finite numbers at update 4"),
        ((None, None), "all 2 runs recorded no such values"),
    ],
)
def test_reason_tells_which_runs_diverged_and_when(diverged, reason):
    assert why_nothing(runs(*diverged)) == reason


def test_reason_names_the_steps_of_the_experiment():
    assert why_nothing(runs(8), step="layer") == "the only run left the finite numbers at layer 8"


def test_an_empty_frame_says_so_within_it():
    figure, axes = plt.subplots(1, 2, figsize=(3.4, 2), layout="constrained")
    say_nothing_to_show(axes[1], "all 10 runs left the finite numbers between updates 3 and 700")
    figure.canvas.draw()
    (text,) = axes[1].texts
    assert text.get_text().replace("\n", " ").startswith("Nothing to show: all 10 runs left")
    frame, words = axes[1].get_window_extent(), text.get_window_extent()
    assert frame.x0 < words.x0 < words.x1 < frame.x1
    assert not any(label.get_visible() for label in axes[1].get_xticklabels())
    assert axes[0].get_xticklabels()[0].get_visible()
    plt.close(figure)
