"""Program: pack all results, to go on with elsewhere: each carries the stamp by which the next plan knows it."""

import gzip
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

from workflow.deepnets.config.grids import points_of
from workflow.deepnets.errors import UserError
from workflow.deepnets.jobs._job import Job
from workflow.deepnets.records.atomic import replacing

# Seconds since 1970: one time for all, and not 0, which Snakemake takes for no time at all.
_TIME = 86_400


def pack(members: Iterable[tuple[str, bytes]], path: Path | str) -> None:
    """Write named contents as a gzipped tar in which nothing but names and contents makes a difference."""
    with (
        replacing(path) as temporary,
        open(temporary, "wb") as file,
        gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0, compresslevel=6) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.mtime = len(content), 0o644, _TIME
            archive.addfile(member, io.BytesIO(content))


def main(job: Job, output: Path) -> None:
    """Pack the results that the spec lists: grids of the runs, other files."""
    spec = job.spec
    runs = [point.path for experiment, grids in spec["grids"].items() for point in points_of(experiment, grids)]
    paths = sorted([*runs, *spec["files"]])
    if missing := [path for path in paths if not Path(path).exists()]:
        raise UserError(f"{len(missing)} results are missing, {missing[0]} among them; run snakemake --cores 8 first")
    pack(((path, Path(path).read_bytes()) for path in paths), output)
