from scopes import Scope

# A start in the direction of the labels: only the length of the weights changes, and no kernel turns.
_ALIGNED = Scope(None, {"step_size": 0.04, "steps": 2000, "records": 60, "whitened_starts": [[0, 1]]})
SCOPES = {"imbalance_sets_feature_learning": _ALIGNED, "rapid_feature_learning_needs_balance": _ALIGNED}
