from scopes import Scope, multiply

SCOPES = {"imbalance_is_conserved": Scope(lambda spec: {"updates": spec["updates"] // 5}, multiply(learning_rate=20))}
