"""Runs and tables as Parquet: one strict schema, provenance in the file's metadata."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.measurements import Measurements
from workflow.deepnets.records.provenance import Provenance

RUN_COLUMNS = [
    pa.field("step", pa.int64(), nullable=False),
    pa.field("metric", pa.dictionary(pa.int32(), pa.string()), nullable=False),
    pa.field("index", pa.int32(), nullable=False),
    pa.field("value", pa.float64(), nullable=False),
]
AXIS_TYPES = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "string": pa.dictionary(pa.int32(), pa.string()),
}


def write_run(path: Path | str, measurements: Measurements, provenance: Provenance) -> None:
    """Write the measurements of one run: columns step, metric, index, value."""
    columns = measurements.columns()
    arrays = [
        _array(columns["step"]),
        _dictionary_array(columns["metric"]),
        _array(columns["index"]),
        _array(columns["value"]),
    ]
    write_table(path, pa.Table.from_arrays(arrays, schema=pa.schema(RUN_COLUMNS)), provenance)


def write_table(path: Path | str, table: pa.Table, provenance: Provenance) -> None:
    """Write a table with its provenance, and a digest of its rows, as schema metadata."""
    metadata = {**provenance.as_metadata(), "rows": _digest(table)}
    pq.write_table(table.replace_schema_metadata(metadata), path, compression="zstd")


def read_run(path: Path | str) -> pa.Table:
    """Read one run; raises UserError, naming the file and how to rebuild it, where it is damaged or foreign."""
    table = read_table(path)
    if not table.schema.equals(pa.schema(RUN_COLUMNS)):
        raise UserError(f"{path} is no run: its columns are {', '.join(table.column_names)}; {_rebuild(path)}")
    return table


def read_table(path: Path | str) -> pa.Table:
    """Read a table or run with its metadata; raises UserError where it is missing, damaged or foreign."""
    try:
        # A ParquetFile reads one file as it is: read_table would add the axes in the path as columns.
        table = pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise UserError(f"{path} {reason}; {_rebuild(path)}") from error
    missing = {"spec", "code", "inputs", "mnist", "versions", "rows"} - set(metadata_of(table))
    if missing:
        raise UserError(f"{path} was not made by this pipeline (no {', '.join(sorted(missing))}); {_rebuild(path)}")
    if metadata_of(table)["rows"] != _digest(table):
        raise UserError(f"{path} holds other rows than were written; {_rebuild(path)}")
    return table


def metadata_of(table: pa.Table) -> dict[str, str]:
    """Return a table's schema metadata as text."""
    return {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}


# A run is written and read without `pa.array`, `dictionary_encode` and `to_numpy`: they import pandas and
# pyarrow.compute, which takes as long as the rest of a short job's start.
def _array(values: np.ndarray) -> pa.Array:
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


def _dictionary_array(texts: list[str]) -> pa.DictionaryArray:
    """Return texts as codes into their distinct values, in the order in which these first appear."""
    codes = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    encoded = [text.encode() for text in codes]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    dictionary = pa.Array.from_buffers(pa.string(), len(encoded), buffers)
    return pa.DictionaryArray.from_arrays(_array(np.array([codes[text] for text in texts], dtype=np.int32)), dictionary)


def _digest(table: pa.Table) -> str:
    """Return the SHA-256 of a table's columns, whatever the layout of the file that they stand in."""
    digest = hashlib.sha256()
    for name in table.column_names:
        digest.update(f"{name}\n".encode())
        for part in _contents(table[name]):
            digest.update(part)
    return digest.hexdigest()


def _contents(column: pa.ChunkedArray) -> Iterator[bytes | np.ndarray]:
    if pa.types.is_dictionary(column.type):
        # A file may list the distinct texts in any order, and more of them than it uses.
        chunks = column.unify_dictionaries().chunks
        codes = np.concatenate([np.from_dlpack(chunk.indices) for chunk in chunks] or [np.empty(0, np.int32)])
        listed = chunks[0].dictionary.to_pylist() if chunks else []
        used = sorted(listed[code] for code in np.unique(codes))
        yield "\n".join(used).encode()
        yield np.array([used.index(text) if text in used else -1 for text in listed], dtype=np.int32)[codes]
    elif pa.types.is_string(column.type) or pa.types.is_boolean(column.type):
        yield json.dumps(column.to_pylist()).encode()
    else:
        yield from map(np.from_dlpack, column.chunks)


def _rebuild(path: Path | str) -> str:
    return f"rebuild it with: snakemake --cores 1 --force {path}"
