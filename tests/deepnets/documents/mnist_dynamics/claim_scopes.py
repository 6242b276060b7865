from scopes import Scope
from small_runs import whitened_digits

SCOPES = {
    "covariances_suffice": Scope(
        {"steps": 3000, "record_product_at": [0, 1, 100, 3000]},
        # The document's printed rule changes a matrix before it computes the gradient of the next.
        lambda spec: {"rule": {"samples": "covariance_in_place"}.get(spec["rule"], spec["rule"]), "steps": 100},
        data=lambda _: [whitened_digits(60)],
    ),
    # Far beyond the largest stable rate, but before the nets diverge.
    "updates_reduce_the_loss": Scope(
        {"steps": 30}, {"learning_rate": 3, "steps": 4}, data=lambda _: [whitened_digits(60)]
    ),
}
