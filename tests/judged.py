"""Claims, judged by runs that a test makes itself."""

import json
from types import ModuleType

import pandas as pd

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.config.points import Point
from workflow.deepnets.jobs.judge import row_of


def points_of(config: dict, experiment: str, **axes: object) -> list[Point]:
    """The points of an experiment of the config with these axes, in the order of the config."""
    config["experiments"] = {experiment: config["experiments"][experiment]}
    return [point for point in Plan(config).points.values() if axes.items() <= point.axes.items()]


def table_of(experiment: ModuleType, points: list[Point], *datasets: object) -> pd.DataFrame:
    """The table of runs at these points."""
    rows = [
        pd.DataFrame(experiment.run(json.loads(point.spec), *datasets).columns()).assign(**point.axes)
        for point in points
    ]
    return pd.concat(rows, ignore_index=True)


def judged(ledger: ModuleType, points: list[Point], table: pd.DataFrame) -> dict[str, dict]:
    """The row of each claim of a ledger by its name, where the results are these runs alone, of the full MNIST."""
    (experiment,) = ledger.TABLES
    grids = [
        {"axes": {name: [value] for name, value in point.axes.items()}, "settings": point.settings} for point in points
    ]
    evidence = Evidence({experiment: table}, {experiment: grids})
    return {each.name: row_of(each, evidence, "full") for each in ledger.ledger() if isinstance(each, Claim)}
