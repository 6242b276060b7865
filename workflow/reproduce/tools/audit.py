"""Program: report which files in results/ are current, from the files only.

The program needs no metadata of Snakemake, and can judge results that were copied from elsewhere. It reads only files
that changed since they were last read, as snakemake does at its start (records/cache.py). To read all files again,
delete .snakemake/cache.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

from reproduce.code.fingerprint import without_pins
from reproduce.config import files
from reproduce.config.plan import Plan, Result
from reproduce.errors import UserError, run_tool
from reproduce.records.cache import FileCache, open_file_cache
from reproduce.records.paths import CLAIM_LIST
from reproduce.records.provenance import inputs_text, versions

CURRENT, STALE, MISSING, DAMAGED, FOREIGN = "current", "stale", "missing", "damaged", "foreign"
_FOLDERS = ("data", "runs", "tables", "claims", "figures", "interactive", "notebooks")


@dataclass(frozen=True)
class FileAudit:
    """The verdict on one file, with the reasons."""

    path: str
    verdict: str
    reasons: tuple[str, ...] = ()


def audit(plan: Plan) -> list[FileAudit]:
    """Judge every result of the plan, then every other file in results/.

    Verdicts:
        current: snakemake would not make it again.
        stale: its spec, code, data or environment differs from the plan, or an input is not current.
        missing: there is no such file.
        damaged: it cannot be read, or its content does not match its stamp.
        foreign: the plan has no such result.
    """
    findings: dict[str, FileAudit] = {}
    cache = open_file_cache()
    installed = {code: versions(packages) for code, packages in plan.packages.items()}
    requested = {path: result for path, result in plan.on_request.items() if Path(path).exists()}
    for path, expected in {**plan.results, **requested}.items():
        inputs = [name for paths in expected.inputs.values() for name in paths if name in findings]
        outdated = any(findings[name].verdict != CURRENT for name in inputs)
        findings[path] = _judge_file(path, expected, installed[expected.code], cache, outdated=outdated)
    cache.save()
    plan.fingerprints.save()
    foreign = [FileAudit(path, FOREIGN) for path in sorted(_present_results() - findings.keys())]
    return [*findings.values(), *foreign]


def _judge_file(
    path: str, expected: Result, installed: Mapping[str, str], cache: FileCache, *, outdated: bool
) -> FileAudit:
    if not Path(path).exists():
        return FileAudit(path, MISSING)
    # Reading a pipe would block.
    if not Path(path).is_file():
        return FileAudit(path, DAMAGED, (f"{path} is not a file",))
    try:
        if not (stamp := cache.stamp(path)):
            # Imported here because this module imports numpy and pyarrow, which only damaged and new files need.
            from reproduce.records.stamps import stamp_of

            stamp = asdict(stamp_of(path))
    except UserError as error:
        return FileAudit(path, DAMAGED, (str(error),))
    reasons = [] if stamp["spec"] in (expected.stamps or (expected.spec,)) else ["spec"]
    if stamp["code"] != expected.code:
        reasons.append("package" if without_pins(stamp["code"]) == without_pins(expected.code) else "code")
    if json.loads(stamp["versions"]) != installed:
        reasons.append("environment")
    if outdated:
        reasons.append("inputs not current")
    elif stamp["inputs"] != inputs_text({name: cache.digest(paths) for name, paths in expected.inputs.items()}):
        reasons.append("data")
    return FileAudit(path, STALE if reasons else CURRENT, tuple(reasons))


def _present_results() -> set[str]:
    """Return the files in results/ that may be results. Hidden files are unfinished writes and transfers."""
    below = chain.from_iterable(Path("results", folder).rglob("*") for folder in _FOLDERS)
    files = filter(Path.is_file, [Path(CLAIM_LIST), *Path("results").glob("report*.html"), *below])
    return {str(path) for path in files if not any(part.startswith(".") for part in path.parts)}


def _prune(paths: list[Path]) -> None:
    """Delete files, and the folders that they leave empty, if the user agrees."""
    for path in paths:
        print(path)
    print(f"The config does not plan these {len(paths)} files. Delete them? [y/N] ", end="", flush=True)
    if sys.stdin.readline().strip() != "y":
        return
    for path in paths:
        path.unlink()
        for folder in [*path.parents][:-2]:
            if any(folder.iterdir()):
                break
            folder.rmdir()


def main() -> None:
    """Print each file that is not current, and the counts; exit with status 1 if a file must be made again."""
    parser = argparse.ArgumentParser(description="Report which files in results/ are current, from the files only.")
    parser.add_argument(
        "--configfile", nargs="*", default=[], type=Path, help="as for snakemake: on top of config.yaml"
    )
    parser.add_argument(
        "--prune", action="store_true", help="list the files that this config does not plan, ask, and delete them"
    )
    parser.add_argument("--stale", action="store_true", help="print only the paths of files that must be made again")
    arguments = parser.parse_args()
    findings = audit(Plan(files.read(arguments.configfile)))
    if arguments.prune:
        _prune([Path(finding.path) for finding in findings if finding.verdict == FOREIGN])
        return
    again = [finding for finding in findings if finding.verdict in (STALE, MISSING, DAMAGED)]
    if arguments.stale:
        print("\n".join(finding.path for finding in again))
    else:
        for finding in findings:
            if finding.verdict != CURRENT:
                reasons = f" ({', '.join(finding.reasons)})" if finding.reasons else ""
                print(f"{finding.verdict:8} {finding.path}{reasons}")
        counts = Counter(finding.verdict for finding in findings)
        print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "nothing to judge")
    sys.exit(1 if again else 0)


if __name__ == "__main__":
    run_tool(main)
