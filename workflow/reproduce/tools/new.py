"""Program: write a small document that works, with its experiment, for an author to change.

The files are the code blocks of docs/adding.md, which explains them.
"""

import argparse
import keyword
import re
from pathlib import Path

from reproduce.code.modules import Package
from reproduce.config.documents import documents_of
from reproduce.errors import UserError, run_tool

GUIDE = Path("docs/adding.md")
CONFIG = Path("config.yaml")
# The name of the document and of the experiment in the guide.
_EXAMPLE = "scalar_net"
_NEXT = """\
Wrote a document called {name}: {count} files in
  {folders}
and a block at the end of config.yaml. They work as they are:
  snakemake --cores 8 {id}      makes results/report-{id}.html
Now replace each part by yours, as docs/adding.md explains."""


def files_of(guide: str, name: str) -> dict[Path, str]:
    """Return path → text for the files of the guide's example, renamed to `name`; for config.yaml, only a block."""
    renamed = guide.replace(_EXAMPLE, name).replace(identifier(_EXAMPLE), identifier(name))
    # A line with only a path, followed by the file's content.
    found = re.findall(r"^`([\w./]+)`\n\n```\w+\n(.*?)^```$", renamed, re.MULTILINE | re.DOTALL)
    return {Path(path): text for path, text in found}


def main() -> None:
    """Write the files, and print what to do next."""
    parser = argparse.ArgumentParser(description="Write a small document that works, with its experiment.")
    parser.add_argument("what", choices=["document"])
    parser.add_argument("name", metavar="NAME", help="of its folders: small letters, digits and underscores")
    name = parser.parse_args().name
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise UserError(
            f"{name!r} names folders and modules; allowed: small letters, digits and _, a letter first; no keyword"
        )
    if identifier(name) in documents_of(Package()):
        raise UserError(f"there is a document {identifier(name)!r}; choose another name")
    files = files_of(GUIDE.read_text(encoding="utf-8"), name)
    block = files.pop(CONFIG)
    # The folders called `name` in which the files lie.
    folders = sorted({Path(*path.parts[: path.parts.index(name) + 1]) for path in files})
    if found := [str(folder) for folder in folders if folder.exists()]:
        raise UserError(f"{', '.join(found)} exists; choose another name, or delete the folder first")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with CONFIG.open("a", encoding="utf-8") as config:
        config.write(block)
    print(_NEXT.format(name=name, id=identifier(name), count=len(files), folders="\n  ".join(map(str, folders))))


def identifier(name: str) -> str:
    """Return the ID that the program gives to a document: the name of its results."""
    return name.replace("_", "-")


if __name__ == "__main__":
    run_tool(main)
