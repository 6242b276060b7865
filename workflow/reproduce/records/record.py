"""The record of a job: one JSON file in results/records, which contains what its results were made from."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePath

from reproduce.errors import UserError
from reproduce.records.files import sha256_of
from reproduce.records.paths import RECORDS, RESULTS
from reproduce.records.sealed import read_sealed, write_sealed


@dataclass(frozen=True)
class Record:
    """The content of a record; without outputs, that of a missing or damaged one.

    spec: canonical JSON
    code: ENTRY@FINGERPRINT
    footprint: module → the functions that ran, as in `code/footprint.py`
    inputs: name → SHA-256
    files: file of this repository that the code opened → SHA-256, as in `records/files.py`
    packages: package → version
    reduced: what stood in for a data set, or was smaller than it, in words; "" if nothing
    outputs: file name of each result → SHA-256
    """

    spec: str = ""
    code: str = ""
    footprint: Mapping[str, Sequence[str]] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    reduced: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.outputs)

    def is_of(self, path: Path | str, digest: str) -> bool:
        """Return whether the job wrote these bytes. digest: the SHA-256 of a file now."""
        return self.outputs.get(PurePath(path).name) == digest


def record_of(path: Path | str) -> str:
    """Return the path of a result's record. The formats of a figure share one, as one job makes them."""
    # `rpartition`, because the folder of a storage or a checkout comes before.
    above, results, below = str(path).rpartition(RESULTS)
    place = PurePath(below).parent if PurePath(path).match("seed=*/run.parquet") else PurePath(below)
    return f"{above}{RECORDS}/{place.with_suffix('.json')}" if results else str(place.with_suffix(".json"))


def write_record(path: Path | str, record: Record) -> None:
    """Write a record, one field per line."""
    write_sealed(path, {**asdict(record), "spec": json.loads(record.spec)})


def read_record(path: Path | str) -> Record:
    """Return a record, an empty one if the file is missing, damaged, or of a version with other fields."""
    content = read_sealed(path)
    if content.keys() != Record.__dataclass_fields__.keys():
        return Record()
    return Record(json.dumps(content.pop("spec"), sort_keys=True, separators=(",", ":")), **content)


def record_at(path: Path | str) -> Record:
    """Return the record of a result; raises UserError if there is none, or if it is of other bytes."""
    record = read_record(record_of(path))
    if not record:
        raise UserError(f"{record_of(path)} is missing or damaged: nothing is known of {path}")
    if not record.is_of(path, sha256_of(path)):
        raise UserError(f"{path} was changed after the workflow wrote it")
    return record


def merge_reduced(texts: Iterable[str]) -> str:
    """Merge the words of several inputs on what is reduced, each once, in order; "" if nothing is."""
    return "; ".join(dict.fromkeys(part for text in texts if text for part in text.split("; ")))


def words_on_reduced(reduced: str) -> str:
    """Return the mark of a figure or a chart that shows results of less than a whole data set."""
    return f"{reduced[0].upper()}{reduced[1:]}: not the document's numbers"
