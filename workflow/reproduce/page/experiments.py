"""The experiments that the page shows, with their settings."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass

from reproduce.config.grids import expand_seeds
from reproduce.records.paths import TABLE


@dataclass(frozen=True)
class ShownExperiment:
    """The runs of one experiment.

    settings: its grids, one per line.
    runs: the number of runs.
    data: the data sets that the runs read.
    table, digest: the path of the table that joins the runs, and the digest of the table's content.
    function: "module:name", of each run.
    """

    name: str
    settings: str
    runs: int
    data: tuple[str, ...]
    table: str
    digest: str
    function: str


def experiment_of(metadata: Mapping[str, str], digest: str, runs: Mapping) -> ShownExperiment:
    """Return the experiment whose runs a table joins.

    metadata, digest: those of the table's file.
    runs: the `entry` of the runs, and the `data` sets that they read.
    """
    spec = json.loads(metadata["spec"])
    name = spec["experiment"]
    return ShownExperiment(
        name=name,
        settings=_settings_text(spec["grids"]),
        runs=sum(
            math.prod(len(expand_seeds(values) if axis == "seed" else values) for axis, values in grid["axes"].items())
            for grid in spec["grids"]
        ),
        data=tuple(runs["data"]),
        table=TABLE.format(experiment=name),
        digest=digest,
        function=runs["entry"],
    )


def _settings_text(grids: list[dict]) -> str:
    """Return grids as text: the settings that all grids share, then one line per grid with its axes and settings."""
    first = grids[0]["settings"]
    shared = {
        name: value
        for name, value in first.items()
        if all(name in grid["settings"] and grid["settings"][name] == value for grid in grids)
    }
    lines = [f"{name}: {_value_text(value)}" for name, value in shared.items()]
    for grid in grids:
        own = {name: value for name, value in grid["settings"].items() if name not in shared}
        parts = [f"{name}: {_value_text(value)}" for name, value in {**grid["axes"], **own}.items()]
        lines.append("- " + "; ".join(parts))
    return "\n".join(lines)


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
