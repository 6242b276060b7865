from scopes import Recorded, Scope

_RELU = {"activation": "relu", "init": "gaussian", "width": 256, "batch": 16}
_LINEAR = {"activation": "linear", "init": "orthogonal", "width": 128, "batch": 1}
SCOPES = {
    "orthogonal_linear_exponent": Scope({"simulations": 2, "depth": 16}, {"init": "gaussian"}, seeds=6),
    "gaussian_linear_exponent": Scope({"simulations": 2}, {"init": "orthogonal", "simulations": 1}, seeds=6),
    "stable_rate_exponent_of_relu_nets": Scope(
        {"simulations": 10, "depth": 8}, {"simulations": 2, "depth": 32, "width": 16}, seeds=6
    ),
    "relu_exponent": Recorded("largest_rate", (_RELU, _LINEAR)),
    # The Hessian of narrow ReLU nets and 16 images.
    "stable_rate_exponent_of_linear_nets": Recorded("largest_rate", (_LINEAR, {**_RELU, "width": 128})),
}
