from scopes import Recorded, Scope
from small_runs import noisy_images

# 31 epochs of nets that are wider than their 14 inputs.
_SMALL = {"width": 24, "batch": 16, "steps": 400, "record_every": 5, "rank_tolerance": 1e-5}
SCOPES = {
    "theorem_1": Scope(_SMALL, {"init": "zero"}, data=lambda _: [noisy_images(14)], factors={"rank": 784 / 14}),
    "rank_below_784": Scope(
        _SMALL,
        {},
        data=lambda where: [noisy_images(14, black=range(10, 14) if where == "inside" else ())],
        factors={"rank": 784 / 14},
    ),
    "test_count": Recorded("zero_init", ({"block": "widths", "width": 256}, {"width": 512})),
    "zero_exceeds_784": Recorded("zero_init", ({"block": "inits", "init": "zero"}, {"init": "partial_identity"})),
}
RELATIVE = {"training": "a panel has differences between nets"}
