"""Program: write a complete, working document from the example in docs/adding.md."""

import argparse
import keyword
import re
from pathlib import Path

from workflow.deepnets.code.modules import Package
from workflow.deepnets.errors import UserError, exit_plainly

GUIDE, CONFIG = Path("docs/adding.md"), Path("config.yaml")
# The name of the example's folders, and its id in results.
_FOLDER, _ID = "scalar_mode", "scalar-mode"
_BLOCK = re.compile(r"^`([\w./]+)`\n\n```\w+\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def files_of(guide: str, name: str) -> dict[Path, str]:
    """Return path → text for the files of the example in a guide, with the example's name replaced.

    The text for config.yaml is a block to append to its `experiments`.
    """
    guide = guide.replace(_FOLDER, name).replace(_ID, name.replace("_", "-"))
    return {Path(path): text for path, text in _BLOCK.findall(guide)}


def write_document(name: str) -> list[Path]:
    """Write the files of a new document below the working directory, and return their paths.

    Raises UserError, before writing anything, if the name is not a module's name, or if a folder already has it.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise UserError(
            f"{name!r} cannot be the name of a document; allowed: lower-case letters, digits and _, a letter first"
        )
    taken = [room for room in ("documents", "experiments") if name in Package().rooms_in(room)]
    if taken:
        raise UserError(f"{name!r} is already the name of a folder in {' and in '.join(taken)}; choose another")
    if not GUIDE.exists():
        raise UserError(f"there is no {GUIDE} here; start this program in the root of the repository")
    files = files_of(GUIDE.read_text(encoding="utf-8"), name)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8").rstrip("\n") + "\n\n" if path == CONFIG else ""
        path.write_text(before + text, encoding="utf-8")
    return list(files)


def main() -> None:
    """Write a document, and print its files and the next steps."""
    parser = argparse.ArgumentParser(description="Write a complete, working document.")
    parser.add_argument("kind", choices=["document"], help="what to write: a document with its experiment")
    parser.add_argument("name", help="name of its folders, for example balancedness")
    name = parser.parse_args().name
    written = write_document(name)
    print("\n".join(f"wrote {path}" if path != CONFIG else f"added a block to {path}" for path in written))
    document = name.replace("_", "-")
    print(f"\nNext: snakemake --cores 8 {document}\nThen open results/report-{document}.html.")
    print(f"{GUIDE} explains the files. Edit them in the order above.")


if __name__ == "__main__":
    exit_plainly(main)
