from typing import Literal

from pydantic import Field

from reproduce import api

LIMITS = {
    "init": Literal["zeros", "xavier_normal"],
    "data_seed": api.Seed,
    "rank": Field(ge=0),
    "depths": api.Distinct[api.Count],
    **dict.fromkeys(("class_rank", "dimension", "classes", "samples"), Field(ge=2)),
    **dict.fromkeys(("repetitions", "record_every", "max_steps"), api.Count),
    **dict.fromkeys(("scale", "learning_rate", "target_loss"), api.Positive),
}


def needs(run: dict) -> api.Needs:
    """Return the needs of all updates of the weights, with training and test samples."""
    depth, samples, dimension, classes = run["depth"], run["samples"], run["dimension"], run["classes"]
    if run["class_rank"] > min(dimension, classes):
        raise ValueError(
            f"class_rank {run['class_rank']}; allowed: dimension, {dimension}, and classes, {classes}, or less"
        )
    larger = max(dimension, classes)
    minutes = api.minutes_of_updates(run["max_steps"], depth, samples, dimension, larger)
    return api.Needs(2 * samples * larger + depth * max(larger, run["rank"]) ** 2, minutes)
