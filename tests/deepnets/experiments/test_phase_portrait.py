import numpy as np

from deepnets.experiments.phase_portrait.run import run
from deepnets.theory import mode_learning
from small_runs import by_step, descend, table_maker

SPEC = {
    **{"experiment": "phase_portrait", "depth": 2, "init": "given", "seed": 0, "singular_value": 1.5},
    **{"learning_rate": 0.001, "steps": 3000, "record_every": 500, "starts": [[0.2, 0.3], [-1, 0.9], [2, 1], [-1, 1]]},
}


table = table_maker(run, SPEC)


def test_runs_equal_gradient_descent_on_half_the_squared_error():
    rows = table(learning_rate=0.1, steps=4, record_every=1)
    starts = list(np.array(SPEC["starts"]).T)
    nets = list(descend(starts, lambda both: ((1.5 - both[0] * both[1]) ** 2 / 2).sum(), 0.1, 4))
    np.testing.assert_allclose(by_step(rows, "first_layer"), [first for first, _ in nets], rtol=1e-12)
    np.testing.assert_allclose(by_step(rows, "second_layer"), [second for _, second in nets], rtol=1e-12)
    assert rows.loc[rows["metric"] == "first_layer", "step"].unique().tolist() == [0, 1, 2, 3, 4]


def test_theory_is_that_of_each_start():
    rows = table()
    for start, (first, second) in enumerate(SPEC["starts"]):
        expected = mode_learning.layers(np.arange(0, 3001, 500) * 0.001, 1.5, first, second)
        for metric, layer in zip(("theory_first_layer", "theory_second_layer"), expected, strict=True):
            np.testing.assert_allclose(by_step(rows, metric)[:, start], layer, rtol=1e-12)


def test_only_starts_that_reach_the_half_have_half_times():
    rows = table()
    found, theory = (
        rows[rows["metric"] == metric].set_index("index")["value"] for metric in ("half_time", "theory_half_time")
    )
    # The third starts above its half, the fourth ends at 0.
    assert found.index.tolist() == theory.index.tolist() == [0, 1]
    np.testing.assert_allclose(found, theory, rtol=5e-3)
    # At half the rate it takes twice as many updates.
    halved = table(learning_rate=0.0005, steps=6000)
    np.testing.assert_allclose(halved.loc[halved["metric"] == "theory_half_time", "value"], 2 * theory)
