"""What document 000 states of training: what its measures make of small tables."""

import pandas as pd
import pytest
from evidence import Claims, of_one_grid

from workflow.deepnets.documents.classifier.claims.ledger import ledger

CLAIMS = Claims(ledger())
NAMES = [
    "perfect_fit",
    "rate_matters_little",
    "threshold_matters_little",
    "smaller_rates_take_longer",
    "smaller_threshold_takes_longer",
    "two_layers_help_at_one_rate",
    "three_layers_help_at_one_rate",
    "deeper_is_better_at_smaller_rates",
    "deeper_is_better_at_a_smaller_threshold",
]
OWN = {1: 10, 2: 1, 3: 0.03, 6: 0.03}


def run(block, depth, accuracy, *, rate=None, target=0.01, seed=0, updates=100, training=1.0, **axes):
    """The axes of one run with what it records; accuracies along it are lower than at its end."""
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


def measured(name, *runs):
    return CLAIMS.measured(name, evidence(*runs)).tolist()


def verdict(name, *runs):
    return CLAIMS.verdict(name, evidence(*runs))


def test_a_perfect_fit_is_one_of_every_run_of_the_document_at_its_end():
    fits = [run("linear", 1, 0.5), run("depths", 2, 0.6), run("rank_2", 2, 0.8, rank=2)]
    assert measured("perfect_fit", *fits) == [100, 100, 100]
    assert verdict("perfect_fit", *fits) == "reproduced"
    assert verdict("perfect_fit", *fits, run("near_zero", 3, 0.8, rate=100, scale=1e-4, training=0.99)) == (
        "not reproduced"
    )
    # What is not of the document says nothing of it: other settings, other points.
    others = [run("rates", 1, 0.5, rate=1, training=0.9), run("linear", 1, 0.5, target=0.1, training=0.9)]
    others += [run("data_sets", 1, 0.5, training=0.9), run("linear", 1, 0.5, data_seed=1, training=0.9)]
    assert verdict("perfect_fit", *fits, *others) == "reproduced"


def test_smaller_rates_and_thresholds_are_held_against_the_linear_model():
    linear = run("linear", 1, 0.53, updates=4000)
    rates = [run("rates", 1, 0.50, rate=1, updates=30_000), run("rates", 1, 0.54, rate=3, updates=9_000)]
    # A larger one, the sweep's own net, and deeper nets are not asked.
    others = [run("rates", 1, 0.1, rate=30), run("depths", 1, 0.1), run("rates", 2, 0.1, rate=3)]
    assert measured("rate_matters_little", linear, *rates, *others) == pytest.approx([1, -3])
    assert measured("smaller_rates_take_longer", linear, *rates, *others) == [5_000, 21_000]
    assert verdict("rate_matters_little", linear, *rates) == "reproduced"
    assert verdict("rate_matters_little", linear, rates[0], run("rates", 1, 0.57, rate=3)) == "not reproduced"
    assert verdict("smaller_rates_take_longer", linear, rates[0], run("rates", 1, 0.5, rate=3, updates=4000)) == (
        "not reproduced"
    )
    assert verdict("rate_matters_little", linear, rates[0]) == "not testable here"
    low = run("thresholds", 1, 0.51, target=0.001, updates=50_000)
    high = run("thresholds", 1, 0.1, target=0.1, updates=50)
    assert measured("threshold_matters_little", linear, low, high) == pytest.approx([-2])
    assert measured("smaller_threshold_takes_longer", linear, low, high) == [46_000]
    assert verdict("threshold_matters_little", linear, run("thresholds", 1, 0.48, target=0.001)) == "not reproduced"


def test_layers_are_compared_at_one_rate():
    one = run("rates", 1, 0.50, rate=1)
    two = [run("depths", 2, value, seed=seed) for seed, value in enumerate((0.60, 0.58, 0.59))]
    assert measured("two_layers_help_at_one_rate", one, *two, run("linear", 1, 0.7)) == pytest.approx([10, 8, 9])
    assert verdict("two_layers_help_at_one_rate", one, *two) == "reproduced"
    assert verdict("two_layers_help_at_one_rate", run("rates", 1, 0.7, rate=1), *two) == "not reproduced"
    three, slow = (
        [run("rates", depth, value, rate=0.1, seed=seed) for seed, value in enumerate(values)]
        for depth, values in ((3, (0.7, 0.72)), (2, (0.6, 0.62)))
    )
    found = measured("three_layers_help_at_one_rate", *three, *slow, run("rates", 3, 0.1, rate=0.3))
    # Standard errors of 1 each.
    assert found == pytest.approx([10 - 2**0.5, 10 + 2**0.5])
    assert verdict("three_layers_help_at_one_rate", *slow, *three) == "reproduced"


@pytest.mark.parametrize(
    ("name", "sweep"),
    [
        ("deeper_is_better_at_smaller_rates", {depth: ("rates", {"rate": rate / 10}) for depth, rate in OWN.items()}),
        (
            "deeper_is_better_at_a_smaller_threshold",
            {depth: ("thresholds", {"target": 0.001}) for depth in OWN},
        ),
    ],
)
def test_slopes_against_depth_are_those_of_nets_with_a_tenth(name, sweep):
    def runs(slopes):
        found = [run(sweep[1][0], 1, 0.5, **sweep[1][1])]
        for depth in (2, 3, 6):
            block, changed = sweep[depth]
            found += [run(block, depth, 0.5 + slope * (depth - 1), seed=seed, **changed) for seed, slope in slopes]
        return found

    assert measured(name, *runs([(0, 0.02), (1, 0.04)])) == pytest.approx([2, 4])
    assert verdict(name, *runs([(0, 0.03), (1, 0.04)])) == "reproduced"
    assert verdict(name, *runs([(0, -0.03), (1, -0.04)])) == "not reproduced"
    # The document's own settings stand in for none.
    assert verdict(name, *(run("depths" if depth > 1 else "linear", depth, 0.5) for depth in OWN)) == (
        "not testable here"
    )
    block, changed = sweep[6]
    uneven = run(block, 6, 0.9, seed=2, **changed)
    assert verdict(name, *runs([(0, 0.03), (1, 0.04)]), uneven) == "not testable here"


@pytest.mark.parametrize("other", [{"samples": 50}, {"dimension": 3}])
def test_another_task_says_nothing_of_the_document(other):
    runs = [run("linear", 1, 0.5), run("rates", 1, 0.5, rate=1), run("rates", 1, 0.5, rate=3)]
    found = evidence(*runs)
    settings = {"dimension": 10, "classes": 10, "samples": 100, **other}
    elsewhere = of_one_grid("classifier", found.runs("classifier"), (), settings)
    for name in NAMES:
        assert CLAIMS.verdict(name, elsewhere) == "not testable here", name
