"""What the code of an experiment declares: the metrics of its runs with their units, and what a run needs."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import product
from math import log
from typing import NamedTuple

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE
from reproduce.config.grids import PlannedGrid
from reproduce.errors import UserError

# 8 GB in float64.
_MOST_NUMBERS = 1e9
_METRIC = re.compile(r"([a-z]\w*)(?:\[.+\])?")
# Words after the names that are units; other words say when the metric is recorded.
_UNITS = ("updates", "nats", "0 … 1", "per unit of time")


def units_of(package: Package, experiment: str) -> dict[str, str]:
    """Return metric → unit, "" if it has none.

    Lists of the docstring name metrics; the names end at a colon, or at the source in brackets.
    """
    units: dict[str, str] = {}
    for paragraph in package.docstring(f"{SCIENCE}.experiments.{experiment}.run:run").split("\n\n"):
        items = paragraph.removeprefix("- ").split("\n- ") if paragraph.startswith("- ") else ()
        for item in items:
            head = re.split(r": | \(|\.$", " ".join(item.split()))[0]
            words = head.split(", ")
            unit = next((word for word in words if word in _UNITS), "")
            # "once" looks like a name, but says when the metric is recorded.
            names = [_METRIC.fullmatch(word) for word in words if word not in (*_UNITS, "once")]
            units |= {name[1]: unit for name in names if name}
    return units


class Needs(NamedTuple):
    """What a run needs.

    numbers: in the arrays that exist at once, in float64
    minutes: its time, or somewhat more
    """

    numbers: float = 0
    minutes: float = 0


def guessed_needs(run: Mapping) -> Needs:
    """Guess the needs of a run: the greatest whole number counts the updates of a small net, of 50 µs a layer."""
    counts = (value for value in run.values() if type(value) is int)
    return Needs(minutes=max(counts, default=0) * run["depth"] * 5e-5 / 60)


def updates_in(duration: float, rate: float) -> float:
    """Return the number of updates in a training time; raises ValueError if it has none."""
    if rate > duration:
        raise ValueError(
            f"duration {duration:g} has no update at the learning_rate {rate:g}; allowed: this rate or more"
        )
    return duration / rate


def minutes_of_updates(updates: float, layers: int, samples: int, inputs: int, outputs: int) -> float:
    """Return the time of updates of a net on one core: 20 µs a layer, and 0.1 ns a multiply-add in three products."""
    return updates * layers * (2e-5 + 3e-10 * samples * inputs * outputs) / 60


def refuse_beyond(experiment: str, grids: Mapping[str, PlannedGrid], needs: Callable[[Mapping], Needs]) -> None:
    """Raise UserError for the first grid with a run that takes more than a day, or more numbers than fit into memory.

    needs: of a run; raises ValueError, with what is allowed, for settings that contradict each other
    """
    for name, grid in grids.items():
        place = f"config: experiments.{experiment}.grids.{name}: "
        axes = {axis: values for axis, values in grid.axes.items() if axis != "seed"}
        for values in product(*axes.values()):
            run = {"experiment": experiment, **grid.settings, **dict(zip(axes, values, strict=True))}
            try:
                numbers, minutes = needs(run)
            except ValueError as error:
                raise UserError(f"{place}{error}") from None
            except KeyError as error:
                raise UserError(f"{place}{error} is missing, which the run reads") from None
            if (days := minutes / 60 / 24) > 1:
                largest = _largest(run, lambda run: needs(run).minutes)
                raise UserError(f"{place}a run may take {days:.3g} days ({largest}); allowed: 1 day")
            if numbers > _MOST_NUMBERS:
                largest = _largest(run, lambda run: needs(run).numbers)
                most = f"allowed: {_MOST_NUMBERS:.0e} or less"
                raise UserError(f"{place}a run needs arrays of {numbers:.1e} numbers ({largest}); {most}")


def _largest(run: Mapping, need: Callable[[Mapping], float]) -> str:
    """Return the three settings of a run to which a need owes most: by its change if one is halved, and their size."""
    changes = {}
    for name, value in run.items():
        if type(value) in (int, float):
            # Half of a setting may contradict others.
            with suppress(ValueError):
                half = max(value // 2, 1) if type(value) is int else value / 2
                changes[name] = abs(log(need({**run, name: half}) / need(run)) * log(abs(value) or 1))
    most = sorted(((change, name) for name, change in changes.items() if change), reverse=True)[:3]
    return ", ".join(f"{name} {run[name]:,}" for _, name in most)
