"""Program: report which files in results/ are not what their records say, from the files only.

A dry run of snakemake lists what is made again, and why. This program also lists files that no plan makes, and results
of other versions of Python and packages. It needs no Snakemake, so it can judge results that were copied from
elsewhere. It reads only files that changed since they were last read (records/cache.py): to read all again, delete
.snakemake/cache.
"""

import argparse
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

from reproduce.config import files
from reproduce.config.environment import differs
from reproduce.config.plan import Plan, Result
from reproduce.config.staleness import Staleness
from reproduce.errors import run_tool
from reproduce.records.cache import FileCache
from reproduce.records.paths import CLAIM_LIST
from reproduce.records.record import record_of

FOREIGN = ("foreign",)


def audit(plan: Plan) -> dict[str, tuple[str, ...]]:
    """Return file → reasons for every result of the plan, then for every other file in results/.

    Reasons:
        missing: there is no such file.
        damaged: its record is missing or damaged, or it contains other bytes than its job wrote.
        spec, code, package, inputs: its record differs in these from what its job would record now.
        environment: it was made with other versions than the installed ones.
        foreign: the plan has no such result.
    A file without reasons is current, or is made from one that is not.
    """
    cache = FileCache()
    staleness = Staleness(plan, cache)
    requested = {path: result for path, result in plan.pages.items() if Path(path).exists()}
    judged = {**plan.results, **requested}
    found = {path: reasons_of(path, result, staleness, cache) for path, result in judged.items()}
    cache.save()
    plan.codes.save()
    # Hidden files are unfinished writes and transfers.
    folders = ("data", "runs", "tables", "claims", "figures", "interactive", "records")
    below = chain.from_iterable(Path("results", folder).rglob("*") for folder in folders)
    present = filter(Path.is_file, [Path(CLAIM_LIST), *Path("results").glob("report*.html"), *below])
    names = {str(path) for path in present if not any(part.startswith(".") for part in path.parts)}
    return found | dict.fromkeys(sorted(names - found.keys() - set(map(record_of, found))), FOREIGN)


def reasons_of(path: str, result: Result, staleness: Staleness, cache: FileCache) -> tuple[str, ...]:
    """Return the reasons of a planned result, as `audit` does."""
    record = cache.record(path)
    environment = ("environment",) if record and differs(record) else ()
    return (*staleness.reasons(path, result), *environment)


def parse_with_config(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, Plan]:
    """Return the arguments of a program that takes `--configfile` and `--config`, and the plan of their config."""
    parser.add_argument("--configfile", nargs="*", default=[], help="as for snakemake: on top of config.yaml")
    parser.add_argument("--config", nargs="*", default=[], metavar="KEY=VALUE", help="as for snakemake")
    arguments = parser.parse_args()
    return arguments, Plan(files.read(list(map(Path, arguments.configfile)), arguments.config))


def main() -> None:
    """Print each file with a reason, and the counts; exit with status 1 if a file must be made again."""
    parser = argparse.ArgumentParser(description="Report which files in results/ are not current, and foreign files.")
    parser.add_argument("--stale", metavar="REASON", help="print only the paths of files with this reason")
    arguments, plan = parse_with_config(parser)
    findings = audit(plan)
    if arguments.stale:
        print("\n".join(path for path, reasons in findings.items() if arguments.stale in reasons))
    else:
        for path, reasons in findings.items():
            if reasons:
                record = f" ({record_of(path)})" if "damaged" in reasons else ""
                print(f"{', '.join(reasons):8} {path}{record}")
        counts = Counter(reason for reasons in findings.values() for reason in reasons or ("current",))
        print(", ".join(f"{count} {reason}" for reason, count in counts.items()) or "nothing to judge")
    sys.exit(1 if any(reasons not in ((), FOREIGN) for reasons in findings.values()) else 0)


if __name__ == "__main__":
    run_tool(main)
