"""The dictionary of the data: what each metric means, from the docstrings of the experiments' `run`."""

import re

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE

COLUMNS = ("experiment", "metric", "index", "unit", "recorded", "meaning", "source")
_NAME = re.compile(r"([a-z]\w*)(?:\[(.+)\])?")
# Words after the names that are units; other words say when the metric is recorded.
_UNITS = ("updates", "nats", "0 … 1", "per unit of time")
# A word that looks like a name, but says when a metric is recorded.
_ONCE = "once"
_HEADING = re.compile(r"Metrics? (.+?)[.:](?: |$)")
# Names and conditions end with the meaning, with the source, or with the item.
_ITEM = re.compile(r"(.+?)(?:: (.*?))?(?: \(((?:[^()]|\([^()]*\))*)\))?\.?$")


def metrics_of(package: Package, experiment: str) -> list[dict[str, str]]:
    """Return a row for each metric of an experiment, in the order of its docstring; "" where this says nothing.

    index: what the index counts; recorded: at which steps, and under which condition; source: section or equation.
    """
    rows, recorded = [], ""
    for paragraph in package.docstring(f"{SCIENCE}.experiments.{experiment}.run:run").split("\n\n"):
        lines = " ".join(line.strip() for line in paragraph.replace("\n- ", "\n\0").splitlines())
        if not paragraph.startswith("- "):
            found = _HEADING.search(re.sub(r" \([^()]*\)", "", lines))
            recorded = found[1] if found else ""
            continue
        for item in lines.removeprefix("- ").split(" \0"):
            head, meaning, source = re.findall(_ITEM, item)[0]
            words = head.split(", ")
            (*_, unit) = ("", *(word for word in words if word in _UNITS))
            names = [_NAME.fullmatch(word) for word in words if word not in (*_UNITS, _ONCE)]
            conditions = [word for word in words if word == _ONCE or (word != unit and not _NAME.fullmatch(word))]
            when = ", ".join(filter(None, [recorded, *conditions]))
            for name in filter(None, names):
                row = (experiment, name[1], name[2] or "", unit, when, meaning, source)
                rows.append(dict(zip(COLUMNS, row, strict=True)))
    return rows
