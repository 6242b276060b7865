"""Program: print the JSON schema of config.yaml, which editors use to complete and check the file."""

import argparse
import json

from reproduce.config.check import schema
from reproduce.errors import run_tool


def main() -> None:
    """Print the schema."""
    argparse.ArgumentParser(description="Print the JSON schema of config.yaml, for editors.").parse_args()
    print(json.dumps(schema(), indent=2))


if __name__ == "__main__":
    run_tool(main)
