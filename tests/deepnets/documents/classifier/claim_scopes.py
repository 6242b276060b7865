from scopes import Recorded, Scope

_DRAWS = {"block": "data_sets", "class_rank": 2, "rank": 0, "scale": 1}
# All ten features determine the class, on eight draws.
_CLASSES_OF_FULL_RANK = [({**_DRAWS, "depth": depth}, {"class_rank": 10}) for depth in (3, 6)]
_LARGE = Recorded(
    "classifier",
    ({"block": "data_sets", "depth": 3, "scale": 1e-4, "learning_rate": 100}, {"scale": 1000, "learning_rate": 0.001}),
)
SCOPES = {
    # Two layers that do not start at 0 learn.
    "two_zero_layers_stay_zero": Scope({}, lambda spec: {"init": "xavier_normal"} if spec["depth"] == 2 else {}),
    "deeper_is_better": Recorded("classifier", *_CLASSES_OF_FULL_RANK),
    "depth_strengthens_the_bias": Recorded(
        "classifier", *_CLASSES_OF_FULL_RANK, ({"block": "data_sets", "data_seed": range(9, 21)}, None)
    ),
    # The document's other nets: from larger weights, of rank 2, and without this constraint.
    "near_zero_accuracy": Recorded(
        "classifier",
        (
            {"block": "near_zero", "scale": 1e-4, "learning_rate": 100},
            {"block": "standard_scale", "scale": 1, "learning_rate": 0.1},
        ),
    ),
    "two_layers_accuracy": Recorded("classifier", ({"block": "two_layers", "rank": 0}, {"block": "rank_2", "rank": 2})),
    "rank_2_accuracy": Recorded("classifier", ({"block": "rank_2", "rank": 2}, {"block": "two_layers", "rank": 0})),
    "modes_come_one_by_one": _LARGE,
    "training_ends_at_rank_2": _LARGE,
}
RELATIVE = {"data": "colours are classes, which a factor on all values changes"}
