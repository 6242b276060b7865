"""Program: pack all results, and what Snakemake remembers of them, to go on with elsewhere."""

import base64
import gzip
import io
import json
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from workflow.deepnets.config.points import points_of
from workflow.deepnets.errors import UserError
from workflow.deepnets.jobs._job import Job
from workflow.deepnets.records.atomic import replacing

_MEMORY = Path(".snakemake/metadata")
# What Snakemake remembers of a job's time, which would make every archive another.
_VOLATILE = {"starttime": 0.0, "endtime": 0.0, "job_hash": 0}


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
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))


def memories(paths: set[str]) -> Iterator[tuple[str, bytes]]:
    """Yield Snakemake's record of each path, without times: a file named by the path in base 64, in parts if long."""
    for record in sorted(_MEMORY.rglob("*")):
        if record.is_file():
            encoded = "".join(part.removeprefix("@") for part in record.relative_to(_MEMORY).parts)
            if base64.b64decode(encoded, altchars="-_").decode() in paths:
                yield str(record), json.dumps(json.loads(record.read_bytes()) | _VOLATILE, sort_keys=True).encode()


def main(job: Job, output: Path) -> None:
    """Pack the results that the spec lists (grids of the runs, other files) with Snakemake's records of them."""
    spec = job.spec
    runs = [point.path for experiment, grids in spec["grids"].items() for point in points_of(experiment, grids)]
    paths = sorted([*runs, *spec["files"]])
    if missing := [path for path in paths if not Path(path).exists()]:
        raise UserError(f"{len(missing)} results are missing, {missing[0]} among them; run snakemake --cores 8 first")
    contents = ((path, Path(path).read_bytes()) for path in paths)
    pack([*contents, *memories(set(paths))], output)
