"""Program: which functions changed since a commit, and which jobs that makes stale."""

import argparse
import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from workflow.deepnets.code.fingerprint import PACKAGE, Package, read_pins
from workflow.deepnets.errors import UserError, exit_plainly

_PINS = "envs/requirements.txt"


def jobs(package: Package) -> dict[str, tuple[str, ...]]:
    """Return the entries behind each kind of job: name → entries, program first."""
    base = package.root.joinpath(*PACKAGE.split("."))
    # An older commit may lack a program.
    programs = [
        name for name in ("fetch", "whiten", "aggregate", "archive") if (base / "jobs" / f"{name}.py").is_file()
    ]
    found: dict[str, tuple[str, ...]] = {program: (f"{PACKAGE}.jobs.{program}:main",) for program in programs}
    for folder, program in (("experiments", "train"), ("figures", "draw")):
        for path in sorted((base / folder).glob("[!_]*.py")):
            module = f"{PACKAGE}.{folder}.{path.stem}"
            names = ["run"] if folder == "experiments" else package.public_functions(module)
            for name in names:
                label = f"{program} {path.stem}" + (f" {name}" if folder == "figures" else "")
                found[label] = (f"{PACKAGE}.jobs.{program}:main", f"{module}:{name}")
    return found


def compare(old: Package, new: Package) -> dict[str, list[str]]:
    """Return the jobs whose fingerprints differ, each with the definitions and pins that make the difference."""
    before, after = jobs(old), jobs(new)
    stale = {}
    for job, entries in after.items():
        if job not in before:
            stale[job] = ["new"]
        elif old.fingerprint(*before[job]) != new.fingerprint(*entries):
            texts = [package.texts(*each[job]) for package, each in ((old, before), (new, after))]
            stale[job] = sorted(
                key for key in texts[0].keys() | texts[1].keys() if texts[0].get(key) != texts[1].get(key)
            )
    return stale


def at_commit(commit: str, folder: Path) -> Package:
    """Unpack the sources of a commit into a folder; raises UserError where git knows no such commit."""
    done = subprocess.run(["git", "archive", commit, "workflow", _PINS], capture_output=True)
    if done.returncode:
        raise UserError(f"git knows no sources of {commit!r}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return Package(root=folder, pins=read_pins(folder / _PINS))


def main() -> None:
    """Print for each stale kind of job what changed behind it."""
    parser = argparse.ArgumentParser(description="Which functions changed since a commit, and which jobs are stale.")
    parser.add_argument("commit", help="what to compare with the working tree, e.g. HEAD or main~3")
    parser.add_argument("--to", help="compare with this commit instead of the working tree")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        old = at_commit(arguments.commit, Path(first))
        new = at_commit(arguments.to, Path(second)) if arguments.to else Package()
        stale = compare(old, new)
    for job, changes in stale.items():
        print(f"{job}: {', '.join(change.removeprefix(PACKAGE + '.') for change in changes)}")
    if not stale:
        print("no job is stale")


if __name__ == "__main__":
    exit_plainly(main)
