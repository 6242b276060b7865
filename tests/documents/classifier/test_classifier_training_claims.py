"""The claims of document 000 about training, judged on small tables."""

import pandas as pd
import pytest

from deepnets.tables.rows import NotRecordedError
from evidence import Claims, of_one_grid

CLAIMS = Claims("classifier")
NAMES = [
    "perfect_fit",
    "rate_and_threshold_matter_little",
    "smaller_rates_and_thresholds_take_longer",
    "layers_help_at_one_rate",
    "deeper_is_better_at_smaller_rates_and_thresholds",
]
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


def verdict(name, *runs):
    return CLAIMS.verdict(name, evidence(*runs))


def judged(name, part, *runs):
    """Return the verdict on one part of a claim."""
    return CLAIMS[name].criterion.parts[part].judge(measured(name, part, *runs), exact=True).verdict


def document_runs(**changed):
    """Return one run of each of the document's nets. changed: {block: its other axes}."""
    nets = {
        "linear": (1, {}),
        "two_layers": (2, {}),
        "rank_2": (2, {"rank": 2}),
        "near_zero": (3, {"rate": 100, "scale": 1e-4}),
        "large_scale": (3, {"rate": 0.001, "scale": 1000.0}),
        "standard_scale": (3, {"rate": 0.1}),
    }
    own = [run(block, depth, 0.5, **{**net, **changed.get(block, {})}) for block, (depth, net) in nets.items()]
    rates = {**OWN, 4: 0.03, 5: 0.03}
    return own + [run("depths", depth, 0.5, rate=rate, **changed.get("depths", {})) for depth, rate in rates.items()]


def test_a_perfect_fit_requires_every_run_of_the_document_to_end_with_one():
    assert CLAIMS.measured("perfect_fit", evidence(*document_runs())).tolist() == 12 * [100]
    for block in ("linear", "near_zero", "depths"):
        assert verdict("perfect_fit", *document_runs(**{block: {"training": 0.99}})) == "not reproduced"
    # Runs with another rate, threshold or data set do not count.
    others = [run("rates", 1, 0.5, rate=1, training=0.9), run("linear", 1, 0.5, target=0.1, training=0.9)]
    others += [run("data_sets", 1, 0.5, training=0.9), run("linear", 1, 0.5, data_seed=1, training=0.9)]
    assert verdict("perfect_fit", *document_runs(), *others) == "reproduced"


def test_smaller_rates_and_thresholds_are_compared_for_the_linear_model():
    linear = run("linear", 1, 0.53, updates=4000)
    rates = [run("rates", 1, 0.50, rate=1, updates=30_000), run("rates", 1, 0.54, rate=3, updates=9_000)]
    thresholds = [run("thresholds", 1, 0.51, target=0.001, updates=50_000), run("thresholds", 1, 0.1, target=0.1)]
    # A larger rate, the net of the sweep over depths, and deeper nets do not count.
    others = [run("rates", 1, 0.1, rate=30), run("depths", 1, 0.1), run("rates", 2, 0.1, rate=3)]
    runs = [linear, *rates, *thresholds, *others]
    little, longer = "rate_and_threshold_matter_little", "smaller_rates_and_thresholds_take_longer"
    gains = {part: measured(little, part, *runs) for part in ("rate 3", "rate 1", "threshold 0.001")}
    assert gains == {name: pytest.approx([gain]) for name, gain in zip(gains, (1, -3, -2), strict=True)}
    parts = ("rate 3 against 10", "rate 1 against 3", "threshold 0.001 against 0.01")
    assert [measured(longer, part, *runs).tolist() for part in parts] == [[5_000], [21_000], [46_000]]
    for changed in (run("rates", 1, 0.57, rate=3), run("thresholds", 1, 0.48, target=0.001)):
        part = "rate 3" if changed[0]["block"] == "rates" else "threshold 0.001"
        assert judged(little, part, linear, changed) == "not reproduced"
    assert judged(longer, parts[0], linear, run("rates", 1, 0.5, rate=3, updates=4000)) == "not reproduced"
    assert verdict(little, linear, rates[0]) == "not testable here"


def test_layers_are_compared_at_one_rate():
    one = run("rates", 1, 0.50, rate=1)
    two = [run("depths", 2, value, seed=seed) for seed, value in enumerate((0.60, 0.58, 0.59))]
    name, second, third = "layers_help_at_one_rate", "2 layers minus 1, rate 1", "3 layers minus 2, rate 0.1"
    assert measured(name, second, one, *two, run("linear", 1, 0.7)) == pytest.approx([10, 8, 9])
    assert judged(name, second, one, *two) == "reproduced"
    assert judged(name, second, run("rates", 1, 0.7, rate=1), *two) == "not reproduced"
    three, slow = (
        [run("rates", depth, value, rate=0.1, seed=seed) for seed, value in enumerate(values)]
        for depth, values in ((3, (0.7, 0.72)), (2, (0.6, 0.62)))
    )
    found = measured(name, third, *three, *slow, run("rates", 3, 0.1, rate=0.3))
    # Both standard errors are 1.
    assert (found.mean, found.error) == (pytest.approx(10), pytest.approx(2**0.5))
    assert judged(name, third, *slow, *three) == "reproduced"


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


@pytest.mark.parametrize("other", [{"samples": 50}, {"dimension": 3}])
def test_runs_of_another_task_judge_no_claim(other):
    table = pd.DataFrame([row for rows in document_runs() for row in rows])
    settings = {"dimension": 10, "classes": 10, "samples": 100, **other}
    elsewhere = of_one_grid("classifier", table, table.columns[:9], settings)
    for name in NAMES:
        assert CLAIMS.verdict(name, elsewhere) == "not testable here", name
