import numpy as np
import pytest

from deepnets.networks.long_products import LongProduct


def multiply_exactly(factors):
    product = LongProduct(len(factors[0]))
    for factor in factors:
        product.multiply(factor)
    return product


def orthogonal(random, size):
    return np.linalg.qr(random.standard_normal((size, size)))[0]


@pytest.mark.parametrize(("size", "count"), [(1, 3), (2, 300), (7, 1), (12, 5), (31, 400), (40, 60)])
def test_singular_values_hundreds_of_orders_apart_are_all_found(size, count):
    random = np.random.default_rng(size)
    bases = [orthogonal(random, size) for _ in range(count + 1)]
    logs = np.linspace(0.5, -3, size) + 0.3 * random.standard_normal((count, size))
    # The singular values of U₁S₁U₂ᵀ U₂S₂U₃ᵀ … are the products of those of the factors.
    factors = [left @ np.diag(np.exp(log)) @ right.T for left, log, right in zip(bases, logs, bases[1:], strict=False)]
    product = multiply_exactly(factors)
    expected = np.sort(logs.sum(axis=0))[::-1]
    np.testing.assert_allclose(product.log_singular_values(), expected, atol=1e-11 * np.sqrt(count))
    assert product.mean_log_singular_value() == pytest.approx(expected.mean(), rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_empty_product_is_the_identity_and_a_singular_factor_gives_logarithms_that_are_not_finite():
    np.testing.assert_array_equal(LongProduct(4).log_singular_values(), np.zeros(4))
    assert LongProduct(4).mean_log_singular_value() == 0
    assert not np.isfinite(multiply_exactly([np.diag([1.0, 0.0]), np.eye(2)]).mean_log_singular_value())
