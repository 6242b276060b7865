"""Program: list the code that made a result."""

import argparse

from reproduce.code.footprint import EVERY
from reproduce.errors import run_tool
from reproduce.records.record import record_at


def main() -> None:
    """Print each function that ran, and its module; then the code param."""
    parser = argparse.ArgumentParser(description="List the code that made a result.")
    parser.add_argument("file", metavar="FILE", help="a file in results/")
    record = record_at(parser.parse_args().file)
    for module, names in record.footprint.items():
        print(module, *(["(all functions)"] if EVERY in names else names), sep="\n  ")
    print(record.code)


if __name__ == "__main__":
    run_tool(main)
