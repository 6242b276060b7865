from typing import Literal

from reproduce import api

LIMITS = {
    # The solution is computed, not trained.
    "depth": api.Integer[Literal[1]],
    "init": Literal["none"],
    "noise": api.NonNegative,
    **dict.fromkeys(("inputs", "outputs", "samples", "weight_bound"), api.Count),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of the samples and of the weights."""
    samples, inputs, outputs = run["samples"], run["inputs"], run["outputs"]
    if samples < inputs:
        raise ValueError(
            f"{samples} samples do not determine the weights of {inputs} inputs; allowed: {inputs} or more"
        )
    minutes = 1e-9 * samples * inputs * (inputs + outputs) / 60
    return api.Needs(samples * max(inputs, outputs) + inputs * outputs, minutes)
