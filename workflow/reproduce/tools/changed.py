"""Program: list the functions that changed since a commit, and the jobs that these changes make stale."""

import argparse
import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from reproduce.code.closure import Closure
from reproduce.code.fingerprint import entries_of, hashed_texts
from reproduce.code.modules import Package
from reproduce.code.science import MECHANICS, SCIENCE
from reproduce.config.documents import charts_of, figures_of, ledgers_of
from reproduce.errors import UserError, run_tool


def jobs(package: Package) -> dict[str, tuple[str, ...]]:
    """Return the entries of each kind of job: name → command line, launcher, program, entry."""
    # The excluded programs run functions of data sets, experiments, figures, charts and claims.
    others = [name for name in package.programs if name not in ("data", "train", "draw", "interact", "judge")]
    found = {name: entries_of(name, f"{MECHANICS}.jobs.{name}:main") for name in others}
    for name in package.rooms_in("data"):
        found[f"data {name}"] = entries_of("data", f"{SCIENCE}.data.{name}.make:make")
    experiments = package.rooms_in("experiments")
    for name in experiments:
        found[f"train {name}"] = entries_of("train", f"{SCIENCE}.experiments.{name}.run:run")
    for program, drawings in (("draw", figures_of), ("interact", charts_of)):
        for (document, name), drawing in drawings(package, experiments).items():
            found[f"{program} {document} {name}"] = entries_of(program, drawing.entry)
    for document, ledger in ledgers_of(package, experiments).items():
        found[f"judge {document}"] = entries_of("judge", ledger.entry)
    return found


def compare(old: Package, new: Package) -> dict[str, list[str]]:
    """Return each job whose code differs, with the definitions and pins that differ."""
    before, closures = jobs(old), (Closure(old), Closure(new))
    stale = {}
    for job, entries in jobs(new).items():
        if job not in before:
            stale[job] = ["new"]
            continue
        was, now = hashed_texts(closures[0], *before[job]), hashed_texts(closures[1], *entries)
        if changes := sorted(key for key in was.keys() | now.keys() if was.get(key) != now.get(key)):
            stale[job] = changes
    return stale


def unpack_commit(commit: str, folder: Path) -> Package:
    """Unpack the sources of a commit into a folder; raise UserError if git has no such commit."""
    done = subprocess.run(["git", "archive", "--end-of-options", commit, "workflow"], capture_output=True)
    if done.returncode:
        raise UserError(f"git cannot read the sources of commit {commit!r}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return Package(folder / "workflow")


def main() -> None:
    """Print each stale kind of job, with the changes of its code."""
    parser = argparse.ArgumentParser(description="List the functions that changed since a commit, and the stale jobs.")
    parser.add_argument("commit", help="commit to compare with the working tree, e.g. HEAD or main~3")
    parser.add_argument("--to", help="compare with this commit instead of the working tree")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        old = unpack_commit(arguments.commit, Path(first))
        new = unpack_commit(arguments.to, Path(second)) if arguments.to else Package()
        stale = compare(old, new)
    for job, changes in stale.items():
        print(f"{job}: {', '.join(change.partition('.')[2] for change in changes)}")
    if not stale:
        print("no job is stale")


if __name__ == "__main__":
    run_tool(main)
