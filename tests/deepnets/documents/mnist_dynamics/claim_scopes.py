from scopes import Recorded, Scope
from small_runs import whitened_digits

# Far beyond the largest stable rate, but before the nets diverge.
_FAST = Scope({"steps": 30}, {"learning_rate": 3, "steps": 4}, data=lambda _: [whitened_digits(60)])
_TENTH_OF_THE_UPDATES = Recorded("mnist_dynamics", ({"step": 100}, {"step": 10}))
SCOPES = {
    "covariances_suffice": Scope(
        {"steps": 3000, "record_product_at": [0, 1, 100, 3000]},
        # The document's printed rule changes a matrix before it computes the gradient of the next.
        lambda spec: {"rule": {"samples": "covariance_in_place"}.get(spec["rule"], spec["rule"]), "steps": 100},
        data=lambda _: [whitened_digits(60)],
    ),
    "updates_reduce_the_loss": _FAST,
    "expected_error_falls": _FAST,
    "accuracies": _TENTH_OF_THE_UPDATES,
    "network_learns": _TENTH_OF_THE_UPDATES,
}
