from typing import Literal

from deepnets.data.low_rank_limits import OF_TASKS, check_task
from reproduce import api

# Nothing is trained.
LIMITS = {**OF_TASKS, "depth": api.Integer[Literal[1]], "init": Literal["none"], "largest_gap": api.Positive}


def needs(run: dict) -> api.Needs:
    """Return the needs of singular value decompositions, of which some hundreds suffice."""
    check_task(run)
    return api.Needs(10 * run["size"] ** 2, 1e-6 * run["size"] ** 3 / 60)
