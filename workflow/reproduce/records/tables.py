"""Write and read runs and tables as Parquet files, with the spec, and what is reduced, in the file's metadata."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reproduce.errors import UserError
from reproduce.records.measurements import Measurements

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


def write_run(path: Path | str, measurements: Measurements, spec: str, reduced: str) -> None:
    """Write the measurements of one run: columns step, metric, index, value."""
    columns = measurements.columns().items()
    arrays = [(_dictionary_array if name == "metric" else _array)(values) for name, values in columns]
    write_table(path, pa.Table.from_arrays(arrays, schema=_RUN_SCHEMA), spec, reduced)


def write_table(path: Path | str, table: pa.Table, spec: str, reduced: str) -> None:
    """Write a table with its metadata."""
    with open_table(path, table.schema) as file:
        file.write_table(table)
        add_metadata(file, spec, reduced)


def open_table(path: Path | str, schema: pa.Schema) -> pq.ParquetWriter:
    """Open a new table, for its rows in pieces, and its metadata at the end."""
    return pq.ParquetWriter(path, schema, compression="zstd")


def add_metadata(file: pq.ParquetWriter, spec: str, reduced: str) -> None:
    """Add its metadata to a table."""
    file.add_key_value_metadata({"spec": spec, "reduced": reduced})


def read_content(path: Path | str) -> bytes:
    """Return the bytes of a table or run; raises UserError if the file is missing."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"{path} is missing; {_rebuild_hint(path)}") from error


def read_run(path: Path | str, content: bytes | None = None) -> pa.Table:
    """Read a run, as `read_table` does; raises UserError also if the table is no run."""
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
        table.validate(full=True)
        metadata = metadata_of(table)
    # ValueError: texts that are not UTF-8.
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UserError(f"{path} is damaged; {_rebuild_hint(path)}") from error
    # The metadata of each file belong to its content: equal rows with equal metadata give equal bytes.
    if missing := [key for key in ("spec", "reduced") if key not in metadata]:
        names = ", ".join(missing)
        raise UserError(f"{path} was not made by this workflow: its metadata lacks {names}; {_rebuild_hint(path)}")
    return table


def metadata_of(table: pa.Table) -> dict[str, str]:
    """Return the metadata of a table's schema as text."""
    return {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}


def read_metadata(path: Path | str) -> dict[str, str]:
    """Return the metadata of a table's file without reading its rows."""
    return {key.decode(): value.decode() for key, value in pq.read_metadata(path).metadata.items()}


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


def _rebuild_hint(path: Path | str) -> str:
    return f"rebuild it with: snakemake --cores 1 --force {path}"
