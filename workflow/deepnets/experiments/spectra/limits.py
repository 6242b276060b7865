from typing import Annotated, Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    "init": Literal["gaussian", "orthogonal"],
    "activation": Literal["linear", "tanh"],
    "gain": api.Positive,
    "input_variances": Annotated[api.Distinct[api.Positive], Field(min_length=1)],
    "record": Annotated[api.Distinct[Literal["variance", "mean_log_singular_value", "spectrum"]], Field(min_length=1)],
    **dict.fromkeys(("size", "realizations"), api.Count),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of what is recorded and of all products; 0.4 s a product of 1,000 units, measured, and a half."""
    nets, size, layers, inputs = run["realizations"], run["size"], run["depth"] + 1, len(run["input_variances"])
    recorded = {"variance": layers * inputs, "mean_log_singular_value": layers, "spectrum": size}
    numbers = size * (size + inputs) + nets * sum(recorded[name] for name in run["record"])
    return api.Needs(numbers, nets * run["depth"] * size**3 * 6e-10 / 60)
