"""The metrics of an experiment and their units, from the docstring of its `run`."""

import re

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE

_NAME = re.compile(r"([a-z]\w*)(?:\[.+\])?")
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
            names = [_NAME.fullmatch(word) for word in words if word not in (*_UNITS, "once")]
            units |= {name[1]: unit for name in names if name}
    return units
