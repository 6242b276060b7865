"""Write and read runs and tables as Parquet files, with the stamp in the file's metadata."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reproduce.errors import UserError
from reproduce.records.measurements import Measurements
from reproduce.records.provenance import Provenance

RUN_COLUMNS = [
    pa.field("step", pa.int64(), nullable=False),
    pa.field("metric", pa.dictionary(pa.int32(), pa.string()), nullable=False),
    pa.field("index", pa.int32(), nullable=False),
    pa.field("value", pa.float64(), nullable=False),
]
_RUN_SCHEMA = pa.schema(RUN_COLUMNS)
AXIS_TYPES = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "string": pa.dictionary(pa.int32(), pa.string()),
}
# The metadata of each file.
_KEYS = {"spec", "code", "inputs", "reduced", "versions", "rows"}


def write_run(path: Path | str, measurements: Measurements, provenance: Provenance) -> None:
    """Write the measurements of one run: columns step, metric, index, value."""
    columns = measurements.columns()
    arrays = [
        _array(columns["step"]),
        _dictionary_array(columns["metric"]),
        _array(columns["index"]),
        _array(columns["value"]),
    ]
    write_table(path, pa.Table.from_arrays(arrays, schema=_RUN_SCHEMA), provenance)


def write_table(path: Path | str, table: pa.Table, provenance: Provenance) -> None:
    """Write a table with its stamp and a digest of its rows."""
    with TableWriter(path, table.schema) as writer:
        writer.write(table)
        writer.close(provenance)


class TableWriter:
    """A writer of a table in pieces, and of its provenance at the end."""

    def __init__(self, path: Path | str, schema: pa.Schema) -> None:
        self._file = pq.ParquetWriter(path, schema, compression="zstd")
        self._digest = RowsDigest()

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(self, *_: object) -> None:
        # Without a call of `close`, the file has no stamp.
        self._file.close()

    def write(self, rows: pa.Table) -> None:
        """Add rows, as one row group."""
        self._digest.update(rows)
        self._file.write_table(rows)

    def close(self, provenance: Provenance) -> None:
        """Write the stamp with a digest of the rows, and close the file."""
        self._file.add_key_value_metadata({**provenance.as_stamp(), "rows": self._digest.hexdigest()})
        self._file.close()


def read_content(path: Path | str) -> bytes:
    """Return the bytes of a table or run; raises UserError if the file is missing."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"{path} is missing; {_rebuild_hint(path)}") from error


def read_run(path: Path | str, content: bytes | None = None) -> pa.Table:
    """Read a run; raises UserError if it is missing, damaged or not a run.

    content: the bytes of the file, if already read
    """
    table = read_table(path, content)
    if not table.schema.equals(_RUN_SCHEMA):
        raise UserError(f"{path} is no run: its columns are {', '.join(table.column_names)}; {_rebuild_hint(path)}")
    return table


def read_table(path: Path | str, content: bytes | None = None) -> pa.Table:
    """Read a table or run with its metadata; raises UserError if it is missing, damaged or not from this workflow.

    content: the bytes of the file, if already read
    """
    source = pa.BufferReader(read_content(path) if content is None else content)
    try:
        # Not `pq.read_table`, which adds columns for the axes in the path.
        table = pq.ParquetFile(source).read(use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{path} is damaged; {_rebuild_hint(path)}") from error
    missing = _KEYS - metadata_of(table).keys()
    if missing:
        names = ", ".join(sorted(missing))
        raise UserError(f"{path} was not made by this workflow: its metadata lacks {names}; {_rebuild_hint(path)}")
    digest = RowsDigest()
    digest.update(table)
    if metadata_of(table)["rows"] != digest.hexdigest():
        raise UserError(f"{path} has rows that were changed after the workflow wrote it; {_rebuild_hint(path)}")
    return table


def metadata_of(table: pa.Table) -> dict[str, str]:
    """Return the metadata of a table's schema as text."""
    return {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}


def read_metadata(path: Path | str) -> dict[str, str]:
    """Return the metadata of a table's file without reading its rows."""
    return {key.decode(): value.decode() for key, value in pq.read_metadata(path).metadata.items()}


def table_digest(path: Path | str, content: bytes | None = None) -> str:
    """Return the content digest of a table or run from its schema and metadata, without reading its rows.

    It omits the digests of the table's inputs and the code of its runs: other code may give the same rows.

    content: as in `read_table`
    """
    with pq.ParquetFile(path if content is None else pa.BufferReader(content)) as file:
        metadata = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
        # Not as the file encodes it, with bits that no reader uses.
        metadata["ARROW:schema"] = file.schema_arrow.to_string(show_schema_metadata=False)
    spec = {name: value for name, value in json.loads(metadata["spec"]).items() if name != "code"}
    counted = {**{name: text for name, text in metadata.items() if name != "inputs"}, "spec": spec}
    return hashlib.sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()


# Not `pa.array`, `dictionary_encode` and `to_numpy`, which import pandas and pyarrow.compute: this takes as long as the
# rest of a short job's start.
def _array(values: np.ndarray) -> pa.Array:
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


def _dictionary_array(texts: list[str]) -> pa.DictionaryArray:
    """Encode texts as indices of the distinct texts, in order of appearance."""
    codes = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    encoded = [text.encode() for text in codes]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    dictionary = pa.Array.from_buffers(pa.string(), len(encoded), buffers)
    return pa.DictionaryArray.from_arrays(_array(np.array([codes[text] for text in texts], dtype=np.int32)), dictionary)


class RowsDigest:
    """The SHA-256 of a table's columns, computed in pieces, for any layout of the file."""

    def __init__(self) -> None:
        self._columns: dict[str, hashlib._Hash] = {}
        # Column → distinct text → place in order of appearance.
        self._texts: dict[str, dict[str, int]] = {}

    def update(self, rows: pa.Table) -> None:
        """Append rows."""
        for name in rows.column_names:
            digest = self._columns.setdefault(name, hashlib.sha256())
            for chunk in rows[name].chunks:
                digest.update(self._encode(name, chunk))

    def hexdigest(self) -> str:
        """Return the digest of all rows, as 64 hexadecimal digits."""
        found = {name: (digest.hexdigest(), list(self._texts.get(name, ()))) for name, digest in self._columns.items()}
        return hashlib.sha256(json.dumps(found).encode()).hexdigest()

    def _encode(self, name: str, chunk: pa.Array) -> bytes:
        """Return the same bytes for the same values in any file."""
        if pa.types.is_dictionary(chunk.type):
            places = self._texts.setdefault(name, {})
            listed, codes = chunk.dictionary.to_pylist(), np.from_dlpack(chunk.indices).astype(np.intp)
            # A file may list the distinct texts in any order, and unused ones, so number them by their first row.
            # Assigned backwards, each code keeps its first row.
            first = np.full(len(listed), len(codes))
            first[codes[::-1]] = np.arange(len(codes))[::-1]
            for code in np.argsort(first)[: np.count_nonzero(first < len(codes))]:
                places.setdefault(listed[code], len(places))
            return np.array([places.get(text, -1) for text in listed], dtype=np.int32)[codes].tobytes()
        if pa.types.is_string(chunk.type) or pa.types.is_boolean(chunk.type):
            return "".join(f"{json.dumps(value)}\n" for value in chunk.to_pylist()).encode()
        return np.from_dlpack(chunk).tobytes()


def _rebuild_hint(path: Path | str) -> str:
    return f"rebuild it with: snakemake --cores 1 --force {path}"
