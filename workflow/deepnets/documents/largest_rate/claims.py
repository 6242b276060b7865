from reproduce import api

TABLES = ("largest_rate",)
RELU = api.Selection("largest_rate", activation="relu", init="gaussian", width=256, batch=16)
RELU_ONE_IMAGE = RELU.but(batch=1)
RELU_NARROW = RELU_ONE_IMAGE.but(width=128)
GAUSSIAN = RELU_ONE_IMAGE.but(activation="linear")
ORTHOGONAL = GAUSSIAN.but(init="orthogonal", width=128)
_LARGEST, _STABLE = "largest_rate_exponent", "stable_rate_exponent"


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    widths = {"1 image": (RELU_NARROW, RELU_ONE_IMAGE), "16 images": (RELU_NARROW.but(batch=16), RELU)}
    return api.Decisions(
        {
            "relu_exponent": api.final(RELU, _LARGEST).near(-1.5, "exponent"),
            "relu_exponent_of_real_updates": api.final(RELU, "real_rate_exponent").near(-1.5, "exponent"),
            "relu_exponent_of_narrow_nets": {
                images: api.final(narrow, _LARGEST).between(-1.75, -1.25) for images, (narrow, _) in widths.items()
            },
            "independent_of_width": {
                **{
                    f"{images}, all depths": _ratio(wide, narrow, "mean_largest_rate").between(
                        2**-0.5, 2**0.5, "moment"
                    )
                    for images, (narrow, wide) in widths.items()
                },
                **{
                    f"{images}, 64 layers": _ratio(wide, narrow, "largest_rate").between(2**-0.5, 2**0.5, "moment")
                    for images, (narrow, wide) in widths.items()
                },
            },
            "stable_rate_exponent_of_linear_nets": api.final(ORTHOGONAL, _STABLE).near(-1, "exponent"),
            "relu_exponent_of_one_image": api.final(RELU_ONE_IMAGE, _LARGEST).near(-1.5, "exponent"),
            "orthogonal_linear_exponent": api.final(ORTHOGONAL, _LARGEST).near(-1, "exponent"),
            "gaussian_linear_exponent": api.final(GAUSSIAN, _LARGEST).near(-1.418, "exponent"),
            "stable_rate_exponent_of_relu_nets": api.final(RELU_ONE_IMAGE, _STABLE).near(-1, "exponent"),
        }
    )


def _ratio(wide: api.Selection, narrow: api.Selection, metric: str) -> api.Measure:
    """Measure the ratio of two nets' last values, those of the deepest net: the nets of a run differ in depth."""
    return api.final(wide, metric) / api.final(narrow, metric)
