import numpy as np
import pandas as pd
import pytest

from deepnets.experiments.largest_rate import run as module
from deepnets.experiments.largest_rate.run import (
    Changes,
    Net,
    draw_net,
    one_update,
    pre_activations,
    real_rate,
    run,
    theory_change,
)
from small_runs import values

INPUTS = 12


def _draw(generator: np.random.Generator, shape: tuple[int, int, int], activation: str, init: str) -> Net:
    """Draw a net in double precision, since finite differences need it."""
    net = draw_net(generator, shape, activation, init)
    return Net([weight.astype(float) for weight in net.weights], net.readout.astype(float), net.relu)


def _draw_inputs(generator: np.random.Generator, batch: int) -> np.ndarray:
    inputs = generator.standard_normal((INPUTS, batch))
    return inputs * np.sqrt(INPUTS) / np.linalg.norm(inputs, axis=0)


@pytest.fixture(params=["relu", "linear"])
def task(request) -> tuple[Net, np.ndarray, np.ndarray]:
    """A Gaussian net of five layers with three inputs and their labels."""
    generator = np.random.default_rng(1)
    net = _draw(generator, (INPUTS, 20, 5), request.param, "gaussian")
    return net, _draw_inputs(generator, 3), generator.choice([-1.0, 1.0], 3)


def _compute_outputs(net: Net, inputs: np.ndarray) -> np.ndarray:
    last = pre_activations(net, inputs)[-1]
    return net.readout @ (np.maximum(last, 0) if net.relu else last)


def _run(**changes) -> pd.DataFrame:
    """Return the rows of a run on 30 random images. changes: of the settings."""
    images = np.random.default_rng(6).integers(1, 255, (30, 28, 28))
    spec = {"init": "gaussian", "activation": "relu", "batch": 1, "simulations": 1, "seed": 0, **changes}
    return pd.DataFrame(run(spec, {"train_images": images}).columns())


def _full(changes: Changes) -> list[np.ndarray]:
    return [left @ right for left, right in changes]


def _move(net: Net, changes: list[np.ndarray], rate: float) -> Net:
    pairs = zip(net.weights, changes, strict=True)
    return Net([weight + rate * change for weight, change in pairs], net.readout, net.relu)


def test_changes_are_minus_the_gradient_of_the_loss(task):
    net, inputs, labels = task
    changes = _full(one_update(net, inputs, labels)[0])

    def loss(at: Net) -> float:
        return np.mean((_compute_outputs(at, inputs) - labels) ** 2) / 2

    for layer, change in enumerate(changes):
        factor = 20 / INPUTS if layer == 0 else 1
        direction = [np.zeros_like(one) for one in net.weights]
        direction[layer][2, 4] = 1
        slope = (loss(_move(net, direction, 1e-6)) - loss(_move(net, direction, -1e-6))) / 2e-6
        assert change[2, 4] == pytest.approx(-factor * slope, rel=1e-5, abs=1e-10)


def test_the_change_of_the_last_layer_equals_that_of_a_small_update(task):
    net, inputs, labels = task
    changes, change, _ = one_update(net, inputs, labels)
    after = pre_activations(_move(net, _full(changes), 1e-6), inputs)[-1]
    np.testing.assert_allclose((after - pre_activations(net, inputs)[-1]) / 1e-6, change, rtol=1e-3, atol=1e-6)


def test_the_eigenvalue_is_that_of_the_hessian_if_labels_equal_outputs():
    """The Hessian is computed by finite differences of the gradient."""
    generator = np.random.default_rng(3)
    net = _draw(generator, (3, 3, 2), "linear", "gaussian")
    inputs = generator.standard_normal((3, 4))
    labels = _compute_outputs(net, inputs)
    sizes = [one.size for one in net.weights]

    def steps(vector: np.ndarray) -> np.ndarray:
        parts = np.split(vector, np.cumsum(sizes)[:-1])
        direction = [part.reshape(one.shape) for part, one in zip(parts, net.weights, strict=True)]
        changes = _full(one_update(_move(net, direction, 1.0), inputs, labels)[0])
        return np.concatenate([change.ravel() for change in changes])

    identity = 1e-6 * np.eye(sum(sizes))
    hessian = np.array([(steps(-row) - steps(row)) / 2e-6 for row in identity])
    assert one_update(net, inputs, labels)[2] == pytest.approx(np.linalg.eigvalsh(hessian)[-1], rel=1e-5)


def test_an_orthogonal_linear_net_follows_the_closed_form_exactly():
    """Each layer adds the same change: the residual of the readout times the squared length of the signal."""
    generator = np.random.default_rng(4)
    depth, width = 7, 12
    net = _draw(generator, (width, width, depth), "linear", "orthogonal")
    inputs, labels = _draw_inputs(generator, 1), np.array([1.0])
    # The first matrix is Gaussian: replace it by one that keeps lengths.
    net.weights[0][:] = net.weights[1]
    _, change, eigenvalue = one_update(net, inputs, labels)
    residual = _compute_outputs(net, inputs)[0] - 1
    size = net.readout @ net.readout
    assert eigenvalue == pytest.approx(depth * width * size, rel=1e-5)
    expected = residual**2 * size * width * theory_change(depth, "linear", "orthogonal")
    assert np.mean(change**2) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("activation", ["relu", "linear"])
@pytest.mark.parametrize("init", ["gaussian", "orthogonal"])
def test_the_mean_change_of_wide_nets_equals_that_of_theory(activation, init):
    generator = np.random.default_rng(5)
    found = []
    for _ in range(100):
        net = _draw(generator, (INPUTS, 150, 4), activation, init)
        found.append(np.mean(one_update(net, _draw_inputs(generator, 1), np.array([1.0]))[1] ** 2))
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    expected = theory_change(4, activation, init)
    # A finite width changes the mean by a few per cent.
    assert abs(np.mean(found) - expected) < 3 * error + 0.1 * expected
    assert error < 0.1 * expected


def test_rates_and_exponents_follow_from_changes_and_eigenvalues(monkeypatch):
    found, simulate = [], module._simulate
    monkeypatch.setattr(module, "_simulate", lambda *of: found.append(simulate(*of)) or found[-1])
    rows = _run(depth=8, width=16, simulations=3)
    squares = np.reshape(found, (3, 3, 4))[:, :, 0]
    assert values(rows, "change") == pytest.approx(squares.mean(axis=1))
    assert values(rows, "largest_rate") == pytest.approx(np.prod(squares, axis=1) ** (-1 / 6))
    by_metric = {metric: each.set_index("step")["value"].to_dict() for metric, each in rows.groupby("metric")}
    assert list(by_metric["change"]) == [2, 4, 8]
    for depth in (2, 4, 8):
        assert by_metric["stable_rate"][depth] == pytest.approx(2 / by_metric["eigenvalue"][depth])
        assert by_metric["theory_rate"][depth] == theory_change(depth, "relu", "gaussian") ** -0.5
    product = np.prod(list(by_metric["largest_rate"].values()))
    assert by_metric["mean_largest_rate"] == {8: pytest.approx(product ** (1 / 3))}
    # The least-squares slope over three equidistant points equals that between the outer two.
    for name in ("largest_rate", "real_rate", "stable_rate", "theory_rate"):
        expected = np.log(by_metric[name][8] / by_metric[name][2]) / np.log(4)
        exponent = "theory_exponent" if name == "theory_rate" else f"{name}_exponent"
        assert by_metric[exponent] == {8: pytest.approx(expected)}


def test_at_the_real_rate_a_real_update_changes_the_last_layer_by_1(task):
    net, inputs, labels = task
    changes, change, _ = one_update(net, inputs, labels)
    first = np.mean(change**2) ** -0.5

    def squared(rate: float) -> float:
        return np.mean((pre_activations(_move(net, _full(changes), rate), inputs)[-1] - before) ** 2)

    before = pre_activations(net, inputs)[-1]
    # Whether the search starts below the rate or above it.
    for start in (first / 5, first * 5):
        full_change, rate = real_rate(net, inputs, changes, start)
        assert full_change == pytest.approx(squared(start), rel=1e-4)
        assert squared(rate) == pytest.approx(1, rel=1e-3)
        assert max(squared(share * rate) for share in (0.25, 0.5, 0.75)) < 1
    assert abs(np.log(rate / first)) > 0.01


def test_a_net_whose_units_an_update_silences_has_no_real_rate(monkeypatch):
    # One unit a layer: the first update makes it negative for the input, and more of it changes nothing.
    net = Net([np.array([[0.1]]), np.array([[0.1]])], np.array([1.0]), relu=True)
    changes = [(np.array([[-1.0]]), np.array([[1.0]])), (np.array([[0.0]]), np.array([[1.0]]))]
    change, rate = real_rate(net, np.array([[1.0]]), changes, 10.0)
    assert (change, rate) == (pytest.approx(0.01**2), np.inf)
    monkeypatch.setattr(module, "real_rate", lambda *_: (change, rate))
    ends = _run(depth=4, width=16).query("metric in ('real_rate', 'real_rate_exponent')")["value"]
    assert len(ends) == 3 and ends.isna().all()


def test_the_real_rate_of_a_run_is_the_geometric_mean_of_those_that_its_nets_have(monkeypatch):
    found = iter([0.5, 0.25, 1, 0.5, np.inf, 0.125])
    monkeypatch.setattr(module, "real_rate", lambda *_: (0.0, next(found)))
    rates = _run(depth=4, width=16, simulations=3).query("metric == 'real_rate'")["value"]
    assert rates.tolist() == pytest.approx([0.5, 0.25])


def test_a_run_ends_where_no_unit_reacts_to_an_update():
    end = _run(depth=64, width=1).iloc[-1]
    assert (end["metric"], end["value"]) == ("diverged", 1)
    assert 2 <= end["step"] < 64
