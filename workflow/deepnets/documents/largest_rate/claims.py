from reproduce import api

TABLES = ("largest_rate",)
RELU = api.Selection("largest_rate", activation="relu", init="gaussian", width=256, batch=16)
RELU_ONE_IMAGE = RELU.but(batch=1)
RELU_NARROW = RELU_ONE_IMAGE.but(width=128)
GAUSSIAN = RELU_NARROW.but(activation="linear")
ORTHOGONAL = GAUSSIAN.but(init="orthogonal")
_LARGEST, _STABLE = "largest_rate_exponent", "stable_rate_exponent"


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    return api.Decisions(
        {
            "relu_exponent": api.final(RELU, _LARGEST).near(-1.5, "exponent"),
            "relu_exponent_of_real_updates": api.final(RELU, "real_rate_exponent").near(-1.5, "exponent"),
            "relu_exponent_of_narrow_nets": {
                api.count_text(count, "image"): api.final(RELU_NARROW.but(batch=count), _LARGEST) < -1.25
                for count in (1, 16)
            },
            "independent_of_width": (
                api.final(RELU_ONE_IMAGE, "mean_largest_rate") / api.final(RELU_NARROW, "mean_largest_rate")
            ).between(2**-0.5, 2**0.5),
            "stable_rate_exponent_of_linear_nets": api.final(ORTHOGONAL, _STABLE).near(-1, "exponent"),
            "relu_exponent_of_one_image": api.final(RELU_ONE_IMAGE, _LARGEST).near(-1.5, "exponent"),
            "orthogonal_linear_exponent": api.final(ORTHOGONAL, _LARGEST).near(-1, "exponent"),
            "gaussian_linear_exponent": api.final(GAUSSIAN, _LARGEST).near(-1.418, "exponent"),
            "stable_rate_exponent_of_relu_nets": api.final(RELU_ONE_IMAGE, _STABLE).near(-1, "exponent"),
        }
    )
