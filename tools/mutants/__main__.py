"""Make small mistakes (mutants) in copies of the sources, and report which of them no fast test notices."""

import argparse
import os
import random
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from changes import Mutant, mutants
from verdicts import VERDICTS, begin, limit_of, verdict_on

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "workflow"
# Rooms that determine results, their fingerprints or the page, and each document with tests.
ROOMS = [f"deepnets/{room}" for room in ("data", "networks", "theory", "experiments")]
ROOMS += [f"reproduce/{room}" for room in ("tables", "claims", "figures", "charts", "page", "config", "records")]
ROOMS += ["reproduce/code", "reproduce/jobs"]
ROOMS += [
    f"deepnets/documents/{path.name}"
    for path in sorted((ROOT / "tests/deepnets/documents").iterdir())
    if any(path.glob("test_*"))
]


def main() -> None:
    """Sample mutants, test each, and print its verdict and the killed share of each room."""
    arguments = _arguments()
    sample = _sample(arguments.room or ROOMS, arguments.module, arguments.count, arguments.seed)
    counts = Counter()
    rooms = sorted({room for room, *_ in sample})
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(arguments.jobs, initializer=begin, initargs=(ROOT, Path(folder))) as pool,
    ):
        limits = dict(zip(rooms, pool.map(limit_of, rooms), strict=True))
        jobs = zip(*((*item, limits[item[0]]) for item in sample), strict=True)
        verdicts = pool.map(verdict_on, *jobs)
        for (room, path, mutant), verdict in zip(sample, verdicts, strict=True):
            counts[room, verdict] += 1
            print(f"{verdict:10}  {path}:{mutant.line}: {mutant.old} -> {mutant.new}", flush=True)
    for room in rooms:
        failed, endless, survived, untestable = (counts[room, verdict] for verdict in VERDICTS)
        killed, tried = failed + endless, failed + endless + survived
        print(
            f"{room}: {killed} of {tried} killed ({killed / max(tried, 1):.0%}), "
            f"{endless} of them by the time limit; {untestable} untestable"
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tools/mutants", description=__doc__)
    parser.add_argument("--room", action="append", choices=ROOMS, help="only this one; may be repeated (default: all)")
    parser.add_argument("--module", action="append", metavar="NAME", help="only this module; may be repeated")
    parser.add_argument("--count", type=int, default=60, help="mutants, shared evenly by the rooms (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at a time (default: one a core)")
    return parser.parse_args()


def _sample(rooms: list[str], modules: list[str] | None, count: int, seed: int) -> list[tuple[str, Path, Mutant]]:
    """Return an equal share of mutants for each room, or all if it has fewer: (room, path of module, mutant)."""
    harmless = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text(encoding="utf-8"))
    sample = []
    for place, room in enumerate(rooms):
        population = [
            (room, path.relative_to(ROOT), mutant)
            for path in sorted((LIBRARY / room).rglob("*.py"))
            if not modules or path.stem in modules
            for mutant in mutants(path.read_text(encoding="utf-8"))
            if f"{mutant.old} -> {mutant.new}" not in harmless.get(str(path.relative_to(LIBRARY).with_suffix("")), {})
        ]
        share = count // len(rooms) + (place < count % len(rooms))
        sample += random.Random(f"{seed} {room}").sample(population, min(share, len(population)))
    return sample


if __name__ == "__main__":
    main()
