"""Program: list the code in a job's fingerprint, and how the job reaches it."""

import argparse

from reproduce.code.closure import Closure
from reproduce.code.fingerprint import fingerprint
from reproduce.code.modules import Package
from reproduce.code.science import MECHANICS, SCIENCE
from reproduce.errors import UserError, run_tool
from reproduce.tools.changed import jobs


def main() -> None:
    """Print each definition that a job reaches, and which definition reached it first; then print the fingerprint."""
    parser = argparse.ArgumentParser(description="List the code that a job reaches, and how.")
    parser.add_argument("entry", metavar="MODULE:NAME", help="the part of a job's parameter `code` before the @")
    entry, package = parser.parse_args().entry, Package()
    entries = {found[-1]: found for found in jobs(package).values()}
    if entry not in entries:
        raise UserError(
            f"no job has the entry {entry}; allowed: {MECHANICS}.jobs.NAME:main, and in {SCIENCE} data.NAME.make:make, "
            "experiments.NAME.run:run, and of documents.NAME figures.MODULE:FIGURE, charts.MODULE:CHART, "
            "claims:decisions"
        )
    closure = Closure(package)
    for key, origin in sorted(closure.origins(*entries[entry]).items()):
        if closure.text(key) or ":" not in key:
            print(f"{key:70} {'entry' if not origin else 'from ' + origin}")
    print(f"{entry}@{fingerprint(closure, *entries[entry])}")


if __name__ == "__main__":
    run_tool(main)
