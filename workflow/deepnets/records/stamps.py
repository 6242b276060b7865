"""The stamp that every result carries: what it records about its own origin."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pypdf
from PIL import Image

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.charts import stamp_of_chart
from workflow.deepnets.records.pages import stamp_of_text
from workflow.deepnets.records.paths import RUNS
from workflow.deepnets.records.tables import metadata_of, read_run, read_table


@dataclass(frozen=True)
class Stamp:
    """A provenance as its file carries it.

    spec, code, mnist: as in `Provenance`; inputs: JSON, name of each file read → SHA-256; versions: JSON, package →
    version.
    """

    spec: str
    code: str
    inputs: str
    mnist: str
    versions: str


def stamp_of(path: Path | str) -> Stamp:
    """Return the stamp of a result; raises UserError where the file is not readable as what its name says."""
    try:
        return _checked(_carried_by(Path(path)))
    except UserError:
        raise
    except Exception as error:
        # There is no end to what readers raise over damaged files.
        raise UserError(f"{type(error).__name__}: {error}") from error


def _carried_by(path: Path) -> object:
    match path.suffix:
        case ".parquet":
            return metadata_of(read_run(path) if path.is_relative_to(RUNS) else read_table(path))
        case ".npz":
            # Opened here, since NumPy leaves a damaged file open.
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                if damaged := archive.zip.testzip():
                    raise ValueError(f"{damaged} is damaged")
                return json.loads(str(archive["provenance"]))
        case ".png":
            with Image.open(path) as image:
                stamp = json.loads(image.info["provenance"])
                # Checks each part of the file without drawing it.
                image.verify()
                return stamp
        case ".md" | ".svg" | ".html":
            return stamp_of_text(path.read_text(encoding="utf-8"))
        case ".json":
            return stamp_of_chart(path.read_text(encoding="utf-8"))
        case ".pdf":
            return json.loads(str((pypdf.PdfReader(path).metadata or {})["/Keywords"]))
    raise UserError("no kind of file that the workflow makes")


def _checked(carried: object) -> Stamp:
    if not isinstance(carried, Mapping):
        raise UserError(f"its stamp is no mapping, but {type(carried).__name__}")
    for field in fields(Stamp):
        if not isinstance(carried.get(field.name), str):
            raise UserError(f"its stamp holds no text for {field.name!r}")
    for name in ("inputs", "versions"):
        if not isinstance(json.loads(carried[name]), dict):
            raise UserError(f"its stamp holds no JSON object for {name!r}")
    return Stamp(**{field.name: carried[field.name] for field in fields(Stamp)})
