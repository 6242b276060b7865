"""The claims of document 000 about training, judged on small tables."""

import pandas as pd
import pytest

from deepnets.tables.rows import NotRecordedError
from evidence import Claims, of_one_grid

CLAIMS = Claims("classifier")
OWN = {1: 10, 2: 1, 3: 0.03, 6: 0.03}


def run(block, depth, accuracy, *, rate=None, target=0.01, seed=0, updates=100, training=1.0, **axes):
    """Return the rows of one run; its earlier accuracies are lower than the last one."""
    init = "zeros" if depth == 1 and block != "depths" else "xavier_normal"
    axes = {"data_seed": 0, "rank": 0, "scale": 1.0, "init": init, **axes}
    axes |= {"block": block, "depth": depth, "learning_rate": float(rate or OWN[depth]), "target_loss": target}
    values = {"train_loss": (3.0, target), "train_accuracy": (0.1, training), "test_accuracy": (0.1, accuracy)}
    return [
        {**axes, "seed": seed, "step": step, "metric": metric, "index": 0, "value": value}
        for metric, pair in values.items()
        for step, value in zip((0, updates), pair, strict=True)
    ]


def evidence(*runs):
    table = pd.DataFrame([row for rows in runs for row in rows])
    return of_one_grid("classifier", table, table.columns[:9], {"dimension": 10, "classes": 10, "samples": 100})


def measured(name, part, *runs):
    """Measure one part of a claim."""
    return CLAIMS.measured(name, evidence(*runs))[part]


def judged(name, part, *runs):
    """Return the verdict on one part of a claim."""
    return CLAIMS[name].criterion.parts[part].judge(measured(name, part, *runs), exact=True).verdict


@pytest.mark.parametrize(
    ("part", "sweep"),
    [
        ("a tenth of each rate", {depth: ("rates", {"rate": rate / 10}) for depth, rate in OWN.items()}),
        ("a tenth of the threshold", {depth: ("thresholds", {"target": 0.001}) for depth in OWN}),
    ],
)
def test_slopes_against_depth_use_a_tenth_of_each_rate_or_threshold(part, sweep):
    name = "deeper_is_better_at_smaller_rates_and_thresholds"

    def runs(slopes):
        found = [run(sweep[1][0], 1, 0.5, **sweep[1][1])]
        for depth in (2, 3, 6):
            block, changed = sweep[depth]
            found += [run(block, depth, 0.5 + slope * (depth - 1), seed=seed, **changed) for seed, slope in slopes]
        return found

    assert measured(name, part, *runs([(0, 0.02), (1, 0.04)])) == pytest.approx([2, 4])
    assert judged(name, part, *runs([(0, 0.03), (1, 0.04)])) == "reproduced"
    assert judged(name, part, *runs([(0, -0.03), (1, -0.04)])) == "not reproduced"
    # The document's own runs do not replace missing runs of a sweep.
    own = measured(name, part, *(run("depths" if depth > 1 else "linear", depth, 0.5) for depth in OWN))
    assert isinstance(own, NotRecordedError)
    block, changed = sweep[6]
    uneven = measured(name, part, *runs([(0, 0.03), (1, 0.04)]), run(block, 6, 0.9, seed=2, **changed))
    assert "different numbers of repetitions" in str(uneven)
