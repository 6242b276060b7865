"""The experiments that the page shows, with their settings."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reproduce.config.grids import expand_seeds
from reproduce.records.paths import TABLE
from reproduce.tables.selection import values_text
from reproduce.tables.words import text_of


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
    held = [{**grid["axes"], **grid["settings"], "seed": expand_seeds(grid["axes"]["seed"])} for grid in grids]
    shared = {name: value for name, value in held[0].items() if all(each.get(name) == value for each in held)}
    own = [{name: value for name, value in each.items() if name not in shared} for each in held]
    lines = [f"- {'; '.join(map(_setting_text, each.items()))}" for each in own if each]
    return "\n".join([*map(_setting_text, shared.items()), *lines])


def _setting_text(setting: tuple[str, Any]) -> str:
    name, value = setting
    words = json.dumps(value) if isinstance(value, dict | bool) else text_of(value)
    return f"{name} {values_text(value, ', ') if isinstance(value, list) else words}"
