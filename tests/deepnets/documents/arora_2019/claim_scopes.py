from scopes import Scope

_FLOW = {"recorded_values": 5, "size": 8, "entries": 40, "learning_rate": 0.01, "steps": 10_000, "records": 101}
_SMALL = {"size": 30, "entries": 400, "rank": 2, "steps": 1000, "learning_rate": 1, "recorded_values": 5}
SCOPES = {
    "singular_value_flow": Scope(_FLOW, {"learning_rate": 0.1, "steps": 1000}),
    # A matrix of full rank.
    "error_falls_with_depth": Scope(_SMALL, {"rank": 30, "steps": 2000}, seeds=4),
    # All entries are observed: the nets learn the true matrix at any depth, which has the least norm too.
    "rank_falls_with_depth": Scope(_SMALL, {"entries": 900}, seeds=4),
    "nuclear_norm_is_not_minimised": Scope(None, {"size": 15, "entries": 225}, seeds=4),
    # Hardly more entries than the numbers that determine the matrix.
    "depth_separates_singular_values": Scope(
        None, {"size": 20, "entries": 200, "steps": 1500, "learning_rate": 0.06}, seeds=4
    ),
}
