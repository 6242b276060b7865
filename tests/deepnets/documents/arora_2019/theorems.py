from scopes import Scope

_SMALL = {"recorded_values": 5}
_FLOW = {**_SMALL, "size": 8, "entries": 40, "learning_rate": 0.01, "steps": 10_000, "records": 101}
SCOPES = {
    "without_factors_nothing_is_completed": Scope(
        {**_SMALL, "size": 30, "entries": 180, "steps": 30_000},
        {"depth": 2, "learning_rate": 0.5, "steps": 2000},
        seeds=4,
    ),
    "singular_value_flow": Scope(_FLOW, {"learning_rate": 0.3, "steps": 1000}, {**_FLOW, "steps": 102_000}),
}
