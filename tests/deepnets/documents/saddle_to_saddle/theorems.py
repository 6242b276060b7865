from scopes import Scope, multiply

SCOPES = {"imbalance_is_conserved": Scope({}, multiply(learning_rate=20))}
