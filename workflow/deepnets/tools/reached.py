"""Program: list the code that a job reaches, and why, as its fingerprint counts it."""

import argparse

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of, entries_of
from workflow.deepnets.code.modules import PACKAGE, Package
from workflow.deepnets.errors import UserError, exit_plainly

_PROGRAMS = {"experiments": "train", "figures": "draw", "interactive": "interact", "claims": "judge"}


def program_of(entry: str) -> str:
    """Return the program whose jobs execute an entry; raises UserError where none does."""
    room, _, rest = entry.removeprefix(f"{PACKAGE}.").partition(".")
    if entry.startswith(f"{PACKAGE}.{room}.") and entry.count(":") == 1:
        if room in _PROGRAMS:
            return _PROGRAMS[room]
        if room == "jobs" and rest.endswith(":main"):
            return rest.removesuffix(":main")
    raise UserError(
        f"{entry} is no entry of a job; allowed: {PACKAGE}.experiments.NAME:run, {PACKAGE}.figures.NAME:FIGURE, "
        f"{PACKAGE}.interactive.NAME:CHART, {PACKAGE}.claims.NAME:ledger, {PACKAGE}.jobs.NAME:main"
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
