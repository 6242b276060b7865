from scopes import Scope, multiply

SCOPES = {
    "imbalance_is_conserved": Scope(lambda spec: {"updates": spec["updates"] // 5}, multiply(learning_rate=20)),
}
_CONSTANT = "the criterion has the target's own singular values"
_UNFINISHED = "learning does not end within the time of the runs"
SILENT = {
    "gap_grows_by_2111": {"singular_values": _CONSTANT},
    "learning_times": {"singular_values": _CONSTANT, "updates": _UNFINISHED},
    "theory_starts_at_the_diagonal": dict.fromkeys(
        ("learning_rate", "scale", "singular_values", "updates"), _UNFINISHED
    ),
}
