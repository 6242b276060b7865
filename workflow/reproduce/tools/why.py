"""Program: say which setting, function, package or file made a result stale, with its values before and now."""

import argparse
import io
import json
import subprocess
import tarfile
import tempfile
from ast import unparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from reproduce.code.fingerprint import counted, fingerprint, open_pieces, pieces
from reproduce.code.footprint import Footprint
from reproduce.code.modules import Package
from reproduce.config import files
from reproduce.config.plan import Plan, Result
from reproduce.config.staleness import Staleness
from reproduce.errors import UserError, run_tool, suggest
from reproduce.records.cache import FileCache
from reproduce.records.packages import versions
from reproduce.records.record import Record, read_record, record_of
from reproduce.tools.audit import CURRENT, DAMAGED, MISSING, STALE, FileAudit, audit

# How many commits are searched for the code that made a result; each takes half a second.
_COMMITS = 20
# At most so many letters of a value, and lines of the differences of a function.
_LETTERS, _LINES = 120, 30


def explain(path: str, plan: Plan) -> str:
    """Return why snakemake would make a file again: its own causes and those of the files that it is made from.

    Raises UserError if the config plans no such file.
    """
    planned = {**plan.results, **plan.pages}
    if path not in planned:
        raise UserError(f"this config makes no file {path!r}{suggest(path, planned)}")
    findings = {each.path: each for each in audit(plan)}
    if path in findings and findings[path].verdict == CURRENT:
        return f"{path} is current: snakemake would not make it again."
    causes: dict[str, list[str]] = defaultdict(list)
    explained, waiting = set(), [path]
    staleness, code = Staleness(plan, FileCache()), _CodeChanges(plan.package)
    while waiting:
        name = waiting.pop()
        # A file that is made only on request is judged only if it exists.
        finding = findings.get(name, FileAudit(name, MISSING))
        if name in explained or finding.verdict == CURRENT:
            continue
        explained.add(name)
        waiting += reversed([each for paths in planned[name].inputs.values() for each in paths if each in planned])
        for cause in _causes_of(finding, planned[name], staleness, code):
            causes[cause].append(name)
    parts = [f"snakemake would make {path}. The causes:"]
    for cause, paths in causes.items():
        parts.append(f"{paths[0]}{f' and {len(paths) - 1} more' if len(paths) > 1 else ''}: {cause}")
    return "\n\n".join(parts)


def _causes_of(finding: FileAudit, planned: Result, staleness: Staleness, code: "_CodeChanges") -> Iterator[str]:
    """Yield the causes that lie in a file itself, not in the files that it is made from."""
    if finding.verdict == MISSING:
        yield "there is no such file"
    if finding.verdict == DAMAGED:
        yield f"damaged: it differs from what its job wrote, by {record_of(finding.path)}"
    record = read_record(record_of(finding.path))
    for reason in finding.reasons if finding.verdict == STALE else ():
        match reason:
            case "spec":
                expected = planned.recorded_specs[0] if planned.recorded_specs else planned.spec
                yield _listed("settings", _changes(json.loads(record.spec), json.loads(expected)))
            case "code" | "package":
                yield _listed(f"{reason} of {planned.entry}", code.since(record, planned.entry))
            case "environment":
                yield _listed(reason, _changes(record.packages, versions(record.packages.keys() - {"python"})))
            case "inputs":
                before, now = {**record.inputs, **record.files}, json.loads(staleness.inputs_now(finding.path, planned))
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
    """Return the values of two specs that differ, as `_changed_lines` does."""
    return _changed_lines([*_values(before)], [*_values(now)])


def _changed_lines(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return the lines that differ: gone ones begin with -, new ones with +."""
    # The first two lines name the files.
    lines = list(unified_diff(before, now, n=0, lineterm=""))[2:]
    return [line if len(line) <= _LETTERS else f"{line[:_LETTERS]} …" for line in lines if not line.startswith("@@")]


class _CodeChanges:
    """The changes between the code that made a result, searched in the last commits, and the present code."""

    def __init__(self, package: Package) -> None:
        self._now = package
        self._known: dict[str, list[str]] = {}

    def since(self, record: Record, entry: str) -> list[str]:
        """Return the changed lines. entry: that of the result now."""
        if record.code not in self._known:
            self._known[record.code] = self._search(record, entry)
        return self._known[record.code]

    def _search(self, record: Record, entry: str) -> list[str]:
        (old_entry, digits), footprint = record.code.split("@"), record.footprint
        if old_entry != entry:
            return [f"it was made by {old_entry}"]
        listed = ["git", "log", f"--max-count={_COMMITS}", "--format=%h", "--", "workflow"]
        for commit in subprocess.run(listed, capture_output=True, text=True).stdout.split():
            packed = subprocess.run(["git", "archive", commit, "workflow"], capture_output=True)
            if packed.returncode:
                continue
            with tempfile.TemporaryDirectory() as folder:
                with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
                    archive.extractall(folder, filter="data")
                old = Package(Path(folder, "workflow"))
                if digits.startswith(fingerprint(footprint, old.sources, open_pieces())):
                    changed = [*_changed_code(footprint, old, self._now), *_changes(old.pins, self._now.pins)]
                    return [f"since commit {commit}:", *changed[:_LINES]]
        return [f"none of the last {_COMMITS} commits here contains the code that made it"]


def _changed_code(footprint: Footprint, old: Package, new: Package) -> Iterator[str]:
    """Yield the lines that differ in what counts for a job with this footprint, below the names of their modules."""
    was, now = _counted_lines(footprint, old), _counted_lines(footprint, new)
    for module in sorted(was.keys() | now.keys()):
        if lines := _changed_lines(was.get(module, []), now.get(module, [])):
            yield module
            yield from (f"  {line}" for line in lines)


def _counted_lines(footprint: Footprint, package: Package) -> dict[str, list[str]]:
    """Return the lines of each module as far as they count for a job with this footprint."""
    there = {module: package.source(module) for module in footprint if package.path_of(module)}
    found = counted(footprint, {module: list(pieces(source, module, unparse)) for module, source in there.items()})
    return {module: [line for piece in parts for line in piece.text.splitlines()] for module, parts in found.items()}


def main() -> None:
    """Print why a file is not current."""
    parser = argparse.ArgumentParser(description="Say what made a result stale, with the values before and now.")
    parser.add_argument("file", metavar="FILE", help="a file in results/")
    parser.add_argument(
        "--configfile", nargs="*", default=[], type=Path, help="as for snakemake: on top of config.yaml"
    )
    arguments = parser.parse_args()
    print(explain(arguments.file, Plan(files.read(arguments.configfile))))


if __name__ == "__main__":
    run_tool(main)
