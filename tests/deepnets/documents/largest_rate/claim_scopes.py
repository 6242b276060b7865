from scopes import Recorded

_RELU = {"activation": "relu", "init": "gaussian", "width": 256, "batch": 16}
_LINEAR = {"activation": "linear", "init": "orthogonal", "width": 128, "batch": 1}
SCOPES = {
    "relu_exponent": Recorded("largest_rate", (_RELU, _LINEAR)),
    # The Hessian of narrow ReLU nets and 16 images.
    "stable_rate_exponent_of_linear_nets": Recorded("largest_rate", (_LINEAR, {**_RELU, "width": 128})),
}
SILENT = {"stable_rate_exponent_of_relu_nets": {"simulations": "half as many nets do not decide"}}
