from deepnets.documents.largest_rate import runs
from reproduce import api

TABLES = ("largest_rate",)
_LARGEST, _STABLE = "largest_rate_exponent", "stable_rate_exponent"


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements."""
    return api.Decisions(
        {
            "relu_exponent": (api.final(runs.RELU, _LARGEST), api.Near(-1.5, of="exponent")),
            "relu_exponent_of_real_updates": (
                api.final(runs.RELU, "real_rate_exponent"),
                api.Near(-1.5, of="exponent"),
            ),
            "relu_exponent_of_narrow_nets": {
                api.count_text(count, "image"): (
                    api.final(runs.RELU_NARROW.but(batch=count), _LARGEST),
                    api.Between(greatest=-1.25),
                )
                for count in (1, 16)
            },
            "independent_of_width": (
                api.final(runs.RELU_ONE_IMAGE, "mean_largest_rate") / api.final(runs.RELU_NARROW, "mean_largest_rate"),
                api.Between(2**-0.5, 2**0.5),
            ),
            "stable_rate_exponent_of_linear_nets": (api.final(runs.ORTHOGONAL, _STABLE), api.Near(-1, of="exponent")),
            "relu_exponent_of_one_image": (api.final(runs.RELU_ONE_IMAGE, _LARGEST), api.Near(-1.5, of="exponent")),
            "orthogonal_linear_exponent": (api.final(runs.ORTHOGONAL, _LARGEST), api.Near(-1, of="exponent")),
            "gaussian_linear_exponent": (api.final(runs.GAUSSIAN, _LARGEST), api.Near(-1.418, of="exponent")),
            "stable_rate_exponent_of_relu_nets": (api.final(runs.RELU_ONE_IMAGE, _STABLE), api.Near(-1, of="exponent")),
        }
    )
