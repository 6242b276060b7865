"""Program: report which files in results/ are current, from the files only.

The program needs no metadata of Snakemake, and can judge results that were copied from elsewhere. It reads only files
that changed since they were last read, as snakemake does at its start (records/cache.py). To read all files again,
delete .snakemake/cache.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from reproduce.config import files
from reproduce.config.environment import differs
from reproduce.config.plan import Plan
from reproduce.config.staleness import Staleness
from reproduce.errors import run_tool
from reproduce.records.cache import FileCache
from reproduce.records.paths import CLAIM_LIST
from reproduce.records.record import record_of

CURRENT, STALE, MISSING, DAMAGED, FOREIGN = "current", "stale", "missing", "damaged", "foreign"
_FOLDERS = ("data", "runs", "tables", "claims", "figures", "interactive", "records")


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
        stale: its spec, code, inputs or environment differs from the plan, or an input is not current.
        missing: there is no such file.
        damaged: its record is missing or damaged, or it contains other bytes than its job wrote.
        foreign: the plan has no such result.
    """
    findings: dict[str, FileAudit] = {}
    cache = FileCache()
    staleness = Staleness(plan, cache)
    requested = {path: result for path, result in plan.pages.items() if Path(path).exists()}
    for path, result in {**plan.results, **requested}.items():
        reasons = staleness.reasons(path, result)
        if reasons in ((MISSING,), (DAMAGED,)):
            findings[path] = FileAudit(path, reasons[0])
            continue
        if (record := cache.record(path)) and differs(record):
            reasons = (*reasons, "environment")
        read = [name for paths in result.inputs.values() for name in paths if name in findings]
        if any(findings[name].verdict != CURRENT for name in read):
            reasons = (*(each for each in reasons if each != "inputs"), "inputs not current")
        findings[path] = FileAudit(path, STALE if reasons else CURRENT, reasons)
    cache.save()
    plan.codes.save()
    records = set(map(record_of, findings))
    foreign = [FileAudit(path, FOREIGN) for path in sorted(_present_results() - findings.keys() - records)]
    return [*findings.values(), *foreign]


def _present_results() -> set[str]:
    """Return the files in results/ that may be results. Hidden files are unfinished writes and transfers."""
    below = chain.from_iterable(Path("results", folder).rglob("*") for folder in _FOLDERS)
    files = filter(Path.is_file, [Path(CLAIM_LIST), *Path("results").glob("report*.html"), *below])
    return {str(path) for path in files if not any(part.startswith(".") for part in path.parts)}


def parse_with_config(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, Plan]:
    """Return the arguments of a program that takes `--configfile` and `--config`, and the plan of their config."""
    parser.add_argument("--configfile", nargs="*", default=[], help="as for snakemake: on top of config.yaml")
    parser.add_argument("--config", nargs="*", default=[], metavar="KEY=VALUE", help="as for snakemake")
    arguments = parser.parse_args()
    return arguments, Plan(files.read(list(map(Path, arguments.configfile)), arguments.config))


def main() -> None:
    """Print each file that is not current, and the counts; exit with status 1 if a file must be made again."""
    parser = argparse.ArgumentParser(description="Report which files in results/ are current, from the files only.")
    only = "print only the paths of files that must be made again, or of those that are stale for this reason"
    parser.add_argument("--stale", nargs="?", const="", metavar="REASON", help=only)
    arguments, plan = parse_with_config(parser)
    findings = audit(plan)
    again = [finding for finding in findings if finding.verdict in (STALE, MISSING, DAMAGED)]
    if (reason := arguments.stale) is not None:
        print("\n".join(finding.path for finding in again if not reason or reason in finding.reasons))
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
