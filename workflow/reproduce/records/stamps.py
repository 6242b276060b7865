"""Read the stamp of a result: what the file records about its own origin."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from reproduce.errors import UserError
from reproduce.records.charts import stamp_of_chart
from reproduce.records.datasets import stamp_of_dataset
from reproduce.records.pages import stamp_of_text
from reproduce.records.paths import is_run
from reproduce.records.pictures import stamp_of_pdf, stamp_of_png
from reproduce.records.tables import metadata_of, read_run, read_table


@dataclass(frozen=True)
class Stamp:
    """The provenance of a result, as its file records it.

    spec, code, reduced: as in `Provenance`
    inputs: JSON, name of each input → digest
    versions: JSON, package → version
    """

    spec: str
    code: str
    inputs: str
    reduced: str
    versions: str


def stamp_of(path: Path | str) -> Stamp:
    """Return the stamp of a result; raises UserError if the file is damaged or was changed."""
    try:
        return _parse_stamp(_read_stamp(Path(path)))
    except UserError:
        raise
    except Exception as error:
        # Readers of damaged files raise errors of many types.
        raise UserError(f"{type(error).__name__}: {error}") from error


def _read_stamp(path: Path) -> object:
    match path.suffix:
        case ".parquet":
            return metadata_of(read_run(path) if is_run(path) else read_table(path))
        case ".npz":
            return stamp_of_dataset(path)
        case ".png":
            return stamp_of_png(path.read_bytes())
        case ".md" | ".svg" | ".html" | ".csv":
            # `read_text` would replace CRLF.
            return stamp_of_text(path.read_bytes().decode())
        case ".json":
            return stamp_of_chart(path.read_bytes().decode())
        case ".pdf":
            return stamp_of_pdf(path.read_bytes())
    raise UserError(f"the workflow makes no files with the suffix {path.suffix!r}")


def _parse_stamp(stamp: object) -> Stamp:
    if not isinstance(stamp, Mapping):
        raise UserError(f"its stamp is no mapping, but {type(stamp).__name__}")
    for field in fields(Stamp):
        if not isinstance(stamp.get(field.name), str):
            raise UserError(f"its stamp contains no text for {field.name!r}")
    for name in ("inputs", "versions"):
        if not isinstance(json.loads(stamp[name]), dict):
            raise UserError(f"its stamp contains no JSON object for {name!r}")
    return Stamp(**{field.name: stamp[field.name] for field in fields(Stamp)})
