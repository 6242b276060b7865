import numpy as np
import pandas as pd
import pytest
import torch
from scipy.linalg import sqrtm

from deepnets.experiments.mixed_dynamics import run as experiment
from deepnets.theory.mixed_dynamics import mode_rate, velocity
from deepnets.theory.unequal_layers import strength_at
from small_runs import by_step, descend, values

SPEC = {
    **{"depth": 2, "size": 6, "width_exponent": 3, "threshold_exponent": 0.5, "learning_rate": 0.3, "rank": 2},
    **{"updates": 8, "modes": [1, 3, 7], "formula": True, "stop_early": False, "seed": 0},
}


def _run(**changes):
    return pd.DataFrame(experiment.run({**SPEC, **changes}).columns())


@pytest.mark.parametrize("exponent", [0.5, 1.5])
def test_a_run_is_gradient_descent_on_both_layers_beside_the_formula(exponent):
    found, generator, threshold = _run(threshold_exponent=exponent), np.random.default_rng(0), 6**exponent
    factors = generator.standard_normal((2, 6, 2)) / 2**0.25
    signal = factors[0] @ factors[1].T
    target = signal + generator.standard_normal((6, 6))
    # Layers of 12 units with the products of these 216.
    layers = np.linalg.cholesky(experiment._gram(generator, 12, 216) * threshold / 216)
    rate = 0.3 / (threshold if exponent > 1 else np.linalg.norm(signal, 2))
    steps = descend(
        [layers[6:].T, layers[:6]], lambda nets: torch.sum((nets[1] @ nets[0] - torch.tensor(target)) ** 2) / 2, rate, 8
    )
    products = np.array([second @ first for first, second in steps])
    formula = [products[0]]
    for _ in range(8):
        formula.append(formula[-1] - rate * velocity(formula[-1], formula[-1] - target, threshold))
    for name, nets in (("", products), ("formula_", np.array(formula))):
        for part, aim in (("train", target), ("test", signal)):
            assert values(found, f"{name}{part}_error") == pytest.approx(((nets - aim) ** 2).mean(axis=(1, 2)))
    distances = np.linalg.norm(products - formula, axis=(1, 2)) / np.linalg.norm(target)
    assert values(found, "distance") == pytest.approx(distances)
    assert values(found, "initial_norm") == pytest.approx(np.linalg.norm(products[0], 2) / threshold)
    best = int(np.argmin(((products - signal) ** 2).sum(axis=(1, 2))))
    assert values(found, "smallest_test_error", best) == values(found, "test_error", best)
    squares = np.linalg.svd(products[best], compute_uv=False) ** 2
    assert values(found, "stable_rank", best) == pytest.approx(squares.sum() / squares[0])
    left, targets, right = np.linalg.svd(target)
    strengths, targets = (left.T @ products @ right.T).diagonal(axis1=1, axis2=2)[:, [0, 2]], targets[[0, 2]]
    growths = np.diff(strengths, axis=0) / (2 * rate * threshold * (targets - strengths[:-1]))
    for name, expected in (("strength", strengths[:-1]), ("growth", growths)):
        expected = np.where(strengths[:-1] < 0.8 * targets, expected, np.nan)
        assert found.loc[found["metric"] == name, "step"].min() == 0
        assert by_step(found, name) == pytest.approx(expected[~np.isnan(expected).all(axis=1)], nan_ok=True)


def test_training_stops_early_when_the_test_error_has_risen_twice():
    rises = np.diff(values(_run(updates=100, stop_early=True, formula=False), "test_error")) > 0
    assert len(rises) < 100 and rises[-2:].all() and not (rises[3:-2] & rises[4:-1]).any()


def test_a_test_error_that_still_falls_was_not_smallest():
    found = _run(updates=3, learning_rate=0.01)
    assert (np.diff(values(found, "test_error")) < 0).all()
    assert not {"smallest_test_error", "stable_rank"} & {*found["metric"]}


@pytest.mark.parametrize("columns", [3, 8])
def test_a_drawn_gram_matrix_has_the_moments_of_gaussian_columns(columns):
    generator = np.random.default_rng(0)
    drawn = np.array([experiment._gram(generator, 4, columns) for _ in range(20_000)])
    assert np.linalg.matrix_rank(drawn[0]) == min(4, columns)
    assert drawn.mean(axis=0) == pytest.approx(columns * np.eye(4), abs=0.1)
    assert drawn.var(axis=0) == pytest.approx(columns * (1 + np.eye(4)), rel=0.05)


def test_the_formula_is_exact_for_layers_that_start_at_its_roots():
    product, error = np.random.default_rng(0).standard_normal((2, 5, 5))

    def outer(matrix):
        return sqrtm(matrix @ matrix.T + 0.49 * np.eye(5)).real

    speed = velocity(product, error, 0.7)
    assert speed == pytest.approx(outer(product) @ error + error @ outer(product.T))
    # Gradient flow on the layers changes W2 W2ᵀ by this, and so does the formula its root.
    change = (outer(product - 1e-6 * speed) - outer(product + 1e-6 * speed)) / 2e-6
    assert change == pytest.approx(-(error @ product.T + product @ error.T), abs=1e-7)


def test_a_mode_learns_like_two_weights_with_twice_the_threshold_as_imbalance():
    times = np.linspace(0, 2, 2001)
    strengths = strength_at(times, 2 * 0.3, 0.01)
    assert np.gradient(strengths, times)[1:-1] == pytest.approx(
        (mode_rate(strengths, 0.3) * (1 - strengths))[1:-1], 1e-5
    )
