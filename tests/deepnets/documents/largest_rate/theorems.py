from scopes import Scope

SCOPES = {
    "orthogonal_linear_exponent": Scope({"simulations": 2, "depth": 16}, {"init": "gaussian"}, seeds=6),
    "gaussian_linear_exponent": Scope({"simulations": 2}, {"init": "orthogonal", "simulations": 1}, seeds=6),
    "stable_rate_exponent_of_relu_nets": Scope(
        {"simulations": 10, "depth": 8}, {"simulations": 2, "depth": 32, "width": 16}, seeds=6
    ),
}
