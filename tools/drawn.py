"""Record what all figures and charts draw, for their tests: python tools/drawn.py [results/tables [NAME …]].

With a folder of tables from a default run, thin these first, or only those of some experiments. Each figure and chart
is drawn from the thinned tables, and from those changes of them that reach code of its document that no other reached.
Read the differences before you commit.
"""

import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "workflow"), str(ROOT / "tests")]

from drawn_tables import FOLDER, RECORDS, TABLES, numbers_of  # noqa: E402
from entries import CHARTS, FIGURES  # noqa: E402
from reproduce.records.tables import RowsDigest, metadata_of, read_table  # noqa: E402
from reproduce.tables.axes import axes_of  # noqa: E402

# How much of a table is kept: seeds of a setting, steps of a run, fewer of a metric with many indices.
_SEEDS, _STEPS, _FEWER_STEPS, _MANY = 2, 5, 3, 400


def thin(path):
    """Write the rows of a few seeds and steps of a table, with six digits."""
    whole = read_table(path)
    frame = whole.to_pandas()
    runs, settings = axes_of(frame), axes_of(frame, "seed")
    seeds = frame.groupby(settings, observed=True)["seed"].rank(method="dense")
    steps = frame[seeds <= _SEEDS].groupby([*runs, "metric"], observed=True)["step"]
    place, count = steps.rank(method="dense") - 1, steps.transform("nunique")
    indices = frame.groupby("metric", observed=True)["index"].transform("nunique").loc[place.index]
    kept = pd.Series(False, place.index)
    for most, chosen in ((_STEPS, indices < _MANY), (_FEWER_STEPS, indices >= _MANY)):
        for each in range(most):
            kept |= chosen & (place == (each * (count - 1) / (most - 1)).round())
    rows = whole.take(kept[kept].index.to_numpy()).combine_chunks()
    values = pa.array([float(f"{value:.6g}") for value in rows["value"].to_numpy()])
    rows = rows.set_column(rows.schema.get_field_index("value"), rows.schema.field("value"), values)
    digest = RowsDigest()
    digest.update(rows)
    metadata = {**metadata_of(whole), "rows": digest.hexdigest()}
    FOLDER.mkdir(exist_ok=True)
    with pq.ParquetWriter(FOLDER / path.name, rows.schema, compression="zstd", compression_level=19) as writer:
        writer.add_key_value_metadata(metadata)
        writer.write_table(rows)


class Reached:
    """The instructions of documents, figures and charts that were executed, as (file, line of function, offset)."""

    _ROOMS = tuple(
        str(ROOT / "workflow" / room) for room in ("deepnets/documents", "reproduce/figures", "reproduce/charts")
    )

    def __init__(self) -> None:
        self.found: set[tuple[str, int, int]] = set()

    def __enter__(self) -> "Reached":
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _trace(self, frame, event, _):
        code = frame.f_code
        if not code.co_filename.startswith(self._ROOMS):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.found.add((code.co_filename, code.co_firstlineno, frame.f_lasti))
        return self._trace


def record(names, path):
    """Write the numbers of some figures or charts, each from the tables that it is drawn from."""
    reached, numbers = set(), []
    for table in TABLES:
        for name in sorted(names):
            with Reached() as code:
                drawn = numbers_of(name, table)
            if table == next(iter(TABLES)) or code.found - reached:
                reached |= code.found
                numbers.append(drawn)
    numbers = pd.concat(numbers, ignore_index=True)
    numbers.to_parquet(path, index=False, compression="zstd")
    print(
        f"{len(numbers)} numbers of {len(names)} drawings, by table:",
        numbers.groupby("table")["name"].nunique().to_dict(),
    )


if __name__ == "__main__":
    folder, names = sys.argv[1:2], sys.argv[2:]
    for path in sorted(Path(*folder).glob("[!.]*.parquet")) if folder else ():
        if not names or path.stem in names:
            thin(path)
    for drawings, path in ((FIGURES, RECORDS["figures"]), (CHARTS, RECORDS["charts"])):
        record(drawings, path)
