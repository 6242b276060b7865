"""Program: list the code that an entry function reaches, and why, as its fingerprint counts it."""

import argparse

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import fingerprint
from workflow.deepnets.code.modules import Package
from workflow.deepnets.errors import UserError, exit_plainly


def main() -> None:
    """Print each definition, import and package that the entries reach with what first reached it, then the hash."""
    parser = argparse.ArgumentParser(description="List the code that an entry function reaches, and why.")
    parser.add_argument("entries", nargs="+", metavar="MODULE:NAME", help="as in the code param of a job, before the @")
    entries = parser.parse_args().entries
    if wrong := [entry for entry in entries if entry.count(":") != 1]:
        raise UserError(
            f"{wrong[0]} is no entry; write MODULE:NAME, for example workflow.deepnets.experiments.classifier:run"
        )
    closure = Closure(Package())
    for key, origin in sorted(closure.origins(*entries).items()):
        if closure.text(key) or ":" not in key:
            print(f"{key:70} {'entry' if not origin else 'from ' + origin}")
    print(fingerprint(closure, *entries))


if __name__ == "__main__":
    exit_plainly(main)
