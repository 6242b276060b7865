"""Runs and tables as Parquet: one strict schema, provenance in the file's metadata."""

import hashlib
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
    run = pa.Table.from_arrays(arrays, schema=pa.schema(RUN_COLUMNS))
    write_table(path, run, provenance, rows=_digest(run))


def write_table(path: Path | str, table: pa.Table, provenance: Provenance, **stamps: str) -> None:
    """Write a table with its provenance and further stamps as schema metadata."""
    pq.write_table(table.replace_schema_metadata({**provenance.as_metadata(), **stamps}), path, compression="zstd")


def read_run(path: Path | str) -> pa.Table:
    """Read one run; raises UserError, naming the file and how to rebuild it, where it is damaged or foreign."""
    table = read_table(path)
    if not table.schema.equals(pa.schema(RUN_COLUMNS)):
        raise UserError(f"{path} is no run: its columns are {', '.join(table.column_names)}; {_rebuild(path)}")
    if metadata_of(table).get("rows") != _digest(table):
        raise UserError(f"{path} holds other rows than were written; {_rebuild(path)}")
    return table


def read_table(path: Path | str) -> pa.Table:
    """Read a table or run with its metadata; raises UserError where it is missing, damaged or foreign."""
    try:
        # A ParquetFile reads one file as it is: read_table would add the axes in the path as columns.
        table = pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise UserError(f"{path} {reason}; {_rebuild(path)}") from error
    missing = {"spec", "code", "inputs", "mnist", "versions"} - set(metadata_of(table))
    if missing:
        raise UserError(f"{path} was not made by this pipeline (no {', '.join(sorted(missing))}); {_rebuild(path)}")
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


def _digest(run: pa.Table) -> str:
    """Return the SHA-256 of a run's rows, whatever the layout of the file that they stand in."""
    digest = hashlib.sha256()
    for name in ("step", "index", "value"):
        for chunk in run[name].chunks:
            digest.update(np.from_dlpack(chunk))
    # A file may list the names of metrics in any order, and more of them than it uses.
    chunks = run["metric"].unify_dictionaries().chunks
    codes = np.concatenate([np.from_dlpack(chunk.indices) for chunk in chunks] or [np.empty(0, np.int32)])
    listed = chunks[0].dictionary.to_pylist() if chunks else []
    names = sorted(listed[code] for code in np.unique(codes))
    ranks = np.array([names.index(name) if name in names else -1 for name in listed], dtype=np.int32)
    digest.update("\n".join(names).encode())
    digest.update(ranks[codes])
    return digest.hexdigest()


def _rebuild(path: Path | str) -> str:
    return f"rebuild it with: snakemake --cores 1 --force {path}"
