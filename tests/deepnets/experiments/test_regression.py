import numpy as np

from deepnets.experiments.regression.run import run
from small_runs import table_maker, values

SPEC = {
    **{"experiment": "regression", "depth": 1, "init": "none", "seed": 0, "inputs": 3, "outputs": 3, "samples": 37},
    **{"weight_bound": 10, "noise": 0.01},
}


table = table_maker(run, SPEC)


def test_a_run_equals_the_document_s_code():
    # This is "Coding Exercise 5.3.1", with different numbers of inputs and outputs to distinguish rows and columns.
    np.random.seed(4)
    W_true = np.random.randint(low=0, high=7, size=(2, 3)).astype(float)
    X_train = np.random.rand(3, 37)
    noise = np.random.normal(scale=0.5, size=(2, 37))
    Y_train = W_true @ X_train + noise
    inverse = np.linalg.inv(X_train @ X_train.T)
    rows = table(seed=4, outputs=2, weight_bound=7, noise=0.5)
    np.testing.assert_array_equal(values(rows, "true_weight"), W_true.ravel())
    np.testing.assert_allclose(values(rows, "estimated_weight"), (Y_train @ X_train.T @ inverse).ravel(), rtol=1e-10)
    # The standard errors of both outputs are equal, since they have the same inputs.
    np.testing.assert_allclose(values(rows, "standard_error"), [*(0.5 * np.sqrt(np.diag(inverse)))] * 2, rtol=1e-10)
    assert values(rows, "inputs") == [3]
