"""Program: say which setting, function, package or file made a result stale, with its values before and now."""

import argparse
import io
import json
import subprocess
import tarfile
import tempfile
from ast import unparse
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

from reproduce.code.fingerprint import counted, fingerprint, open_pieces, pieces
from reproduce.code.footprint import Footprint
from reproduce.code.modules import Package
from reproduce.config import files
from reproduce.config.plan import Plan, Result
from reproduce.errors import UserError, run_tool, suggest
from reproduce.records.cache import open_file_cache
from reproduce.records.opened import digests_of
from reproduce.records.packages import versions
from reproduce.records.record import Record, read_record, record_of
from reproduce.tools.audit import CURRENT, DAMAGED, MISSING, FileAudit, audit

# How many commits are searched for the code that made a result; each takes half a second.
_COMMITS = 20
# At most so many letters of a value, and lines of the differences of a function.
_LETTERS, _LINES = 120, 30


def explain(path: str, plan: Plan) -> str:
    """Return why snakemake would make a file again: its own causes and those of the files that it is made from.

    Raises UserError if the config plans no such file.
    """
    planned = {**plan.results, **plan.on_request}
    if path not in planned:
        raise UserError(f"this config makes no file {path!r}{suggest(path, planned)}")
    findings = {each.path: each for each in audit(plan)}
    if path in findings and findings[path].verdict == CURRENT:
        return f"{path} is current: snakemake would not make it again."
    causes: dict[str, list[str]] = defaultdict(list)
    explained, waiting = set(), [path]
    changes = _CodeChanges(plan.package)
    while waiting:
        name = waiting.pop()
        # A file that is made only on request is judged only if it exists.
        finding = findings.get(name, FileAudit(name, MISSING))
        if name in explained or finding.verdict == CURRENT:
            continue
        explained.add(name)
        waiting += reversed([each for paths in planned[name].inputs.values() for each in paths if each in planned])
        for cause in _causes_of(finding, planned[name], plan, changes):
            causes[cause].append(name)
    parts = [f"snakemake would make {path}. The causes:"]
    for cause, paths in causes.items():
        parts.append(f"{paths[0]}{f' and {len(paths) - 1} more' if len(paths) > 1 else ''}: {cause}")
    return "\n\n".join(parts)


def _causes_of(finding: FileAudit, planned: Result, plan: Plan, changes: "_CodeChanges") -> Iterator[str]:
    """Yield the causes that lie in a file itself, not in the files that it is made from."""
    if finding.verdict == MISSING:
        yield "there is no such file"
    elif finding.verdict == DAMAGED:
        yield f"damaged: it differs from what its job wrote, by {record_of(finding.path)}"
    else:
        record = read_record(record_of(finding.path))
        for reason in finding.reasons:
            match reason:
                case "spec":
                    expected = planned.recorded_specs[0] if planned.recorded_specs else planned.spec
                    # Two grids of a table may differ alike.
                    lines = list(dict.fromkeys(_differences(json.loads(record.spec), json.loads(expected))))
                    yield "\n  ".join(["settings", *lines])
                case "code" | "package":
                    yield f"{reason} of {planned.entry}\n" + changes.since(record, planned.entry)
                case "environment":
                    installed = versions(record.packages.keys() - {"python"})
                    yield "\n  ".join(["environment", *_differences(record.packages, installed)])
                case "inputs":
                    yield f"the content of {', '.join(_changed_inputs(record, planned))} changed"


def _changed_inputs(record: Record, planned: Result) -> Iterator[str]:
    cache = open_file_cache()
    now = {name: cache.digest(paths) for name, paths in planned.inputs.items()}
    for name in sorted(record.inputs.keys() | now.keys()):
        if record.inputs.get(name) != now.get(name):
            paths = planned.inputs.get(name, ())
            yield paths[0] if len(paths) == 1 else f"{name} ({len(paths)} files)"
    yield from (f"workflow/{name}" for name, now in digests_of(record.files).items() if now != record.files[name])


def _differences(before: object, now: object, place: str = "") -> Iterator[str]:
    """Yield a line per value of a spec that differs, with the value before and now."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted(before.keys() | now.keys()):
            yield from _differences(before.get(key, "nothing"), now.get(key, "nothing"), f"{place}.{key}".strip("."))
    elif isinstance(before, list) and isinstance(now, list) and any(isinstance(each, dict) for each in before + now):
        gone, new = ([each for each in one if each not in other] for one, other in ((before, now), (now, before)))
        for number in range(max(len(gone), len(new))):
            pair = (each[number] if number < len(each) else "nothing" for each in (gone, new))
            yield from _differences(*pair, place)
    elif before != now:
        yield f"{place}: {_short(before)} before, {_short(now)} now"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]} …"


class _CodeChanges:
    """The changes between the code that made a result, searched in the last commits, and the present code."""

    def __init__(self, package: Package) -> None:
        self._now = package
        self._known: dict[str, str] = {}

    def since(self, record: Record, entry: str) -> str:
        """Return the changed lines. entry: that of the result now."""
        if record.code not in self._known:
            self._known[record.code] = self._search(record, entry)
        return self._known[record.code]

    def _search(self, record: Record, entry: str) -> str:
        (old_entry, digits), footprint = record.code.split("@"), record.footprint
        if old_entry != entry:
            return f"  it was made by {old_entry}"
        listed = ["git", "log", f"--max-count={_COMMITS}", "--format=%h", "--", "workflow"]
        done = subprocess.run(listed, capture_output=True, text=True)
        for commit in done.stdout.split():
            with tempfile.TemporaryDirectory() as folder, suppress(UserError):
                old = _unpack_commit(commit, Path(folder))
                if digits.startswith(fingerprint(footprint, old.sources, open_pieces())):
                    changed = list(_changed_lines(footprint, old, self._now))[:_LINES]
                    pins = zip(*(each.pins.items() for each in (old, self._now)), strict=False)
                    changed += [f"  {name}=={was}, now {now[1]}" for (name, was), now in pins if (name, was) != now]
                    return "\n".join([f"  since commit {commit}:", *changed])
        return f"  none of the last {_COMMITS} commits here contains the code that made it"


def _counted_texts(footprint: Footprint, package: Package) -> dict[str, str]:
    """Return the text of each module as far as it counts for a job with this footprint."""
    there = {module: package.source(module) for module in footprint if package.path_of(module)}
    found = counted(footprint, {module: list(pieces(source, module, unparse)) for module, source in there.items()})
    return {module: "\n".join(piece.text for piece in parts) for module, parts in found.items()}


def _changed_lines(footprint: Footprint, old: Package, new: Package) -> Iterator[str]:
    """Yield the lines that differ in what counts for a job with this footprint, below the names of their modules."""
    was, now = _counted_texts(footprint, old), _counted_texts(footprint, new)
    for module in sorted(was.keys() | now.keys()):
        before, after = (each.get(module, "").splitlines() for each in (was, now))
        # The first two lines name the files.
        lines = list(unified_diff(before, after, n=0, lineterm=""))[2:]
        yield from [f"  {module}"] * bool(lines)
        yield from (f"    {line}" for line in lines if not line.startswith("@@"))


def _unpack_commit(commit: str, folder: Path) -> Package:
    """Unpack the sources of a commit into a folder; raise UserError if git has no such commit."""
    done = subprocess.run(["git", "archive", "--end-of-options", commit, "workflow"], capture_output=True)
    if done.returncode:
        raise UserError(f"git cannot read the sources of commit {commit!r}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return Package(folder / "workflow")


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
