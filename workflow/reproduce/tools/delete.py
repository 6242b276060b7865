"""Program: list all that belongs to a document and to the experiment of its name; with --yes, delete it."""

import argparse
import shutil
import subprocess
from pathlib import Path

from reproduce.code.modules import Package
from reproduce.code.science import SCIENCE
from reproduce.config.documents import documents_of
from reproduce.errors import UserError, run_tool
from reproduce.tools.new import identifier

_CONFIGS = ("config.yaml", "configs/*.yaml", "tests/tiny.yaml")
# {name}: the name of the folders; {id}: the name of the document's results.
_SOURCES = (
    *(f"workflow/{SCIENCE}/{room}/{{name}}/" for room in ("documents", "experiments")),
    *(f"workflow/{SCIENCE}/theory/{{name}}.py", f"tests/{SCIENCE}/documents/{{name}}/"),
    *(f"tests/{SCIENCE}/documents/{place}.parquet" for place in ("*tables/{name}", "drawn_numbers/{id}")),
)
_RESULTS = (
    *("*/{id}/", "*/*/{id}/", "*/experiment={name}/", "*/*/experiment={name}/"),
    *(f"{room}{each}" for room in ("", "records/") for each in ("claims/{id}.*", "tables/{name}.*", "report-{id}.*")),
    # Logs and benchmarks.
    *("*/judge/{id}.*", "*/page-{id}.*", "*/aggregate/{name}.*"),
)
_AFTER = "If README.md counts its claims, restore it with git, or: python -m reproduce.tools.verdicts --record"


def paths_of(name: str, document: str) -> list[Path]:
    """Return the files and folders of a document, of the experiment of its name, and of their results."""
    places = [*_SOURCES, *(f"results/{place}" for place in _RESULTS)]
    found = [Path().glob(place.format(name=name, id=document)) for place in places]
    return [path for paths in found for path in sorted(paths)]


def without_block(config: str, name: str) -> str:
    """Return the text of a config without the block of an experiment and the comment above it."""
    lines = config.splitlines(keepends=True)
    start = next((place for place, line in enumerate(lines) if line.startswith(f"  {name}:")), None)
    if start is None:
        return config
    end = start + 1
    while end < len(lines) and (lines[end].startswith("   ") or not lines[end].strip()):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    while lines[start - 1].startswith("  #"):
        start -= 1
    start -= not lines[start - 1].strip()
    return "".join(lines[:start] + lines[end:])


def main() -> None:
    """List what belongs to the document; with --yes, delete it."""
    parser = argparse.ArgumentParser(description="List all that belongs to a document; with --yes, delete it.")
    parser.add_argument("what", choices=["document"])
    parser.add_argument("name", metavar="NAME", help="of its folders, such as scalar_net")
    parser.add_argument("--yes", action="store_true", help="delete what is listed without this option")
    arguments = parser.parse_args()
    configs = {path: path.read_text(encoding="utf-8") for place in _CONFIGS for path in sorted(Path().glob(place))}
    rests = {path: without_block(config, arguments.name) for path, config in configs.items()}
    rooms = {each.room: each.id for each in documents_of(Package()).values()}
    document = rooms.get(arguments.name, identifier(arguments.name))
    paths = paths_of(arguments.name, document) if arguments.name.isidentifier() else []
    blocks = [f"the block {arguments.name} of {path}" for path, rest in rests.items() if rest != configs[path]]
    if not (paths or blocks):
        raise UserError(f"nothing here belongs to a document {arguments.name!r}; allowed: the name of its folders")
    print("Deleted:" if arguments.yes else "With --yes, this is deleted:", *paths, *blocks, sep="\n  ")
    if arguments.yes:
        for path in paths:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path, rest in rests.items():
            path.write_text(rest, encoding="utf-8")
    print("Other lines that name it, such as those that read its table:", flush=True)
    own = [f":!{path}" for path in ("results", ".*", *paths, *configs)]
    subprocess.run(["env", "git", "grep", "--no-index", "-Inwe", arguments.name, "-e", document, "--", ".", *own])
    if arguments.yes:
        print(_AFTER)


if __name__ == "__main__":
    run_tool(main)
