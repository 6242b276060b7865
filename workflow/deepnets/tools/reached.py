"""Program: list the code that a job reaches, and why, as its fingerprint counts it."""

import argparse
import re

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of, entries_of
from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.errors import UserError, exit_plainly

_PROGRAMS = {
    r"experiments\.\w+\.run:run": "train",
    r"documents\.\w+\.figures\.\w+:\w+|figures\.claims:claims": "draw",
    r"documents\.\w+\.charts\.\w+:\w+": "interact",
    r"documents\.\w+\.claims\.ledger:ledger": "judge",
}
_PROGRAM = re.compile(r"jobs\.(\w+):main")


def program_of(entry: str) -> str:
    """Return the program whose jobs execute an entry; raises UserError where none does."""
    place = entry.removeprefix(f"{PACKAGE}.")
    if place != entry:
        for pattern, program in _PROGRAMS.items():
            if re.fullmatch(pattern, place):
                return program
        if program := _PROGRAM.fullmatch(place):
            return program[1]
    raise UserError(
        f"{entry} is no entry of a job; allowed: {PACKAGE}.experiments.NAME.run:run, {PACKAGE}.jobs.NAME:main, and of "
        f"{PACKAGE}.documents.NAME figures.MODULE:FIGURE, charts.MODULE:CHART, claims.ledger:ledger"
    )


def main() -> None:
    """Print all that a job reaches, each with what first reached it, then the code that the job carries."""
    parser = argparse.ArgumentParser(description="List the code that a job reaches, and why.")
    parser.add_argument("entry", metavar="MODULE:NAME", help="as in the code param of a job, before the @")
    entry = parser.parse_args().entry
    program, closure = program_of(entry), Closure(Package())
    for key, origin in sorted(closure.origins(*entries_of(program, entry)).items()):
        if closure.text(key) or ":" not in key:
            print(f"{key:70} {'entry' if not origin else 'from ' + origin}")
    print(code_of(program, entry, closure))


if __name__ == "__main__":
    exit_plainly(main)
