"""Program: say which setting, function, package or file made a result stale, with its values before and now."""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from difflib import unified_diff
from pathlib import Path

from reproduce.config.plan import Plan, Result
from reproduce.config.staleness import Staleness
from reproduce.errors import UserError, run_tool, suggest
from reproduce.records.cache import FileCache
from reproduce.records.packages import versions
from reproduce.records.record import read_record, record_of
from reproduce.tools.audit import parse_with_config, reasons_of


def explain(path: str, plan: Plan) -> str:
    """Return why snakemake would make a file again: its own causes and those of the files that it is made from.

    Raises UserError if the config plans no such file.
    """
    planned = {**plan.results, **plan.pages}
    if path not in planned:
        raise UserError(f"this config makes no file {path!r}{suggest(path, planned)}")
    cache = FileCache()
    staleness = Staleness(plan, cache)
    causes: dict[str, list[str]] = defaultdict(list)
    explained, waiting = set(), [path]
    while waiting:
        name = waiting.pop()
        if name in explained:
            continue
        explained.add(name)
        waiting += reversed([each for paths in planned[name].inputs.values() for each in paths if each in planned])
        reasons = reasons_of(name, planned[name], staleness, cache)
        for cause in _causes_of(name, planned[name], reasons, staleness, plan.package.versions):
            causes[cause].append(name)
    if not causes:
        return f"{path} is current: snakemake would not make it again."
    parts = [f"snakemake would make {path}. The causes:"]
    for cause, paths in causes.items():
        parts.append(f"{paths[0]}{f' and {len(paths) - 1} more' if len(paths) > 1 else ''}: {cause}")
    return "\n\n".join(parts)


def _causes_of(
    path: str, planned: Result, reasons: Iterable[str], staleness: Staleness, pins: Mapping[str, str | None]
) -> Iterator[str]:
    """Yield the causes that lie in a file itself, not in the files that it is made from.

    reasons: as of `audit`; pins: the pinned versions now
    """
    record = read_record(record_of(path))
    for reason in reasons:
        match reason:
            case "missing":
                yield "there is no such file"
            case "damaged" if record:
                yield f"damaged: it differs from what its job wrote, by {record_of(path)}"
            case "damaged":
                yield f"{record_of(path)} is missing or damaged"
            case "spec":
                expected = planned.recorded_specs[0] if planned.recorded_specs else planned.spec
                yield _listed("settings", _changes(json.loads(record.spec), json.loads(expected)))
            case "code":
                made = datetime.fromtimestamp(Path(path).stat().st_mtime)
                since = f"git diff 'HEAD@{{{made:%Y-%m-%d %H:%M}}}' -- workflow"
                yield f"code of {planned.entry}; what changed here since: {since}"
            case "package":
                recorded = {name: version for name, version in record.packages.items() if name != "python"}
                yield _listed("package", _changes(recorded, {name: pins.get(name) for name in recorded}))
            case "environment":
                yield _listed(reason, _changes(record.packages, versions(record.packages.keys() - {"python"})))
            case "inputs":
                before, now = {**record.inputs, **record.files}, staleness.inputs_now(record, planned)
                names = sorted({name for name, _ in before.items() ^ now.items()})
                paths = (name if name in planned.inputs else f"workflow/{name}" for name in names)
                yield f"the content of {', '.join(paths)} changed"


def _listed(head: str, lines: Iterable[str]) -> str:
    return "\n  ".join([head, *lines])


def _values(value: object, place: str = "") -> Iterator[str]:
    """Yield a line per value of a spec: its place and the value."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _values(value[key], f"{place}.{key}".strip("."))
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        for each in value:
            yield from _values(each, place)
    else:
        yield f"{place}: {value if isinstance(value, str) else json.dumps(value)}"


def _changes(before: object, now: object) -> list[str]:
    """Return the values of two specs that differ: gone ones begin with -, new ones with +."""
    # The first two lines name the files.
    lines = list(unified_diff([*_values(before)], [*_values(now)], n=0, lineterm=""))[2:]
    return [line if len(line) <= 120 else f"{line[:120]} …" for line in lines if not line.startswith("@@")]


def main() -> None:
    """Print why a file is not current."""
    parser = argparse.ArgumentParser(description="Say what made a result stale, with the values before and now.")
    parser.add_argument("file", metavar="FILE", help="a file in results/")
    arguments, plan = parse_with_config(parser)
    print(explain(arguments.file, plan))


if __name__ == "__main__":
    run_tool(main)
