from scopes import Recorded

SCOPES = {
    "test_count": Recorded("zero_init", ({"block": "widths", "width": 256}, {"width": 512})),
    "zero_exceeds_784": Recorded("zero_init", ({"block": "inits", "init": "zero"}, {"init": "partial_identity"})),
}
