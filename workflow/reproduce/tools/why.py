"""Program: say which setting, function, package or file made a result stale, with its values before and now."""

import argparse
import difflib
import functools
import json
import subprocess
import tempfile
from ast import unparse
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from reproduce.code.closure import Closure
from reproduce.code.fingerprint import fingerprint, hashed_texts
from reproduce.code.modules import Package
from reproduce.config import files
from reproduce.config.faults import suggest
from reproduce.config.plan import Plan, Result
from reproduce.errors import UserError, run_tool
from reproduce.records.cache import open_file_cache
from reproduce.records.provenance import versions
from reproduce.records.stamps import Stamp, stamp_of
from reproduce.tools.audit import CURRENT, DAMAGED, MISSING, FileAudit, audit
from reproduce.tools.changed import jobs, unpack_commit

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
        yield f"damaged: {finding.reasons[0]}"
    else:
        stamp = stamp_of(finding.path)
        for reason in finding.reasons:
            match reason:
                case "spec":
                    expected = planned.stamps[0] if planned.stamps else planned.spec
                    # Two grids of a table may differ alike.
                    lines = list(dict.fromkeys(_differences(json.loads(stamp.spec), json.loads(expected))))
                    # The spec of a table also contains the code of its runs, which have this cause themselves.
                    own = [line for line in lines if not line.startswith(("code:", "runs."))]
                    if own or "inputs not current" not in finding.reasons:
                        yield "\n  ".join(["settings", *(own or lines)])
                case "code" | "package":
                    yield f"{reason} of {planned.code.partition('@')[0]}\n" + changes.between(stamp.code, planned.code)
                case "environment":
                    installed = versions(plan.packages[planned.code])
                    yield "\n  ".join(["environment", *_differences(json.loads(stamp.versions), installed)])
                case "data":
                    yield f"the content of {', '.join(_changed_inputs(stamp, planned))} changed"


def _changed_inputs(stamp: Stamp, planned: Result) -> Iterator[str]:
    cache, before = open_file_cache(), json.loads(stamp.inputs)
    now = {name: cache.digest(paths) for name, paths in planned.inputs.items()}
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            paths = planned.inputs.get(name, ())
            yield paths[0] if len(paths) == 1 else f"{name} ({len(paths)} files)"


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
        self._now = Closure(package)
        self._entries = {found[-1]: found for found in jobs(package).values()}
        # Takes the code before and now; returns the changed functions, constants and pins as lines.
        self.between = functools.cache(self._search)

    def _search(self, before: str, now: str) -> str:
        (old_entry, digits), entry = before.split("@"), now.partition("@")[0]
        if old_entry != entry:
            return f"  it was made by {old_entry}"
        listed = ["git", "log", f"--max-count={_COMMITS}", "--format=%h", "--", "workflow"]
        done = subprocess.run(listed, capture_output=True, text=True)
        for commit in done.stdout.split():
            with tempfile.TemporaryDirectory() as folder, suppress(UserError):
                old = Closure(unpack_commit(commit, Path(folder)))
                if fingerprint(old, *self._entries[entry]) == digits:
                    return "\n".join([f"  since commit {commit}:", *self._changes(old, self._entries[entry])])
        return f"  none of the last {_COMMITS} commits here contains the code that made it"

    def _changes(self, old: Closure, entries: tuple[str, ...]) -> Iterator[str]:
        was, now = hashed_texts(old, *entries), hashed_texts(self._now, *entries)
        for key in sorted(key for key in was.keys() | now.keys() if was.get(key) != now.get(key)):
            if key not in was or key not in now:
                yield f"  {key}: {'gone' if key in was else 'new'}"
                continue
            yield f"  {key}"
            if ":" in key:
                before, after = ("\n".join(map(unparse, each.statements(key))) for each in (old, self._now))
                # The first two lines name the files.
                lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))[2:]
                yield from (f"    {line}" for line in lines[:_LINES] if not line.startswith("@@"))


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
