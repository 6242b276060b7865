"""Record what tests compare with the default config's results, in the folder of a checkout: tools/record.py [NAME …].

For the named documents, or all of them: the verdicts, the rows of tables that claims read (thin.py) or figures draw,
and the numbers that figures and charts draw. Each is drawn from these rows, and from those changes of them that reach
code of its document that no other reached. Read the differences before you commit.
"""

import inspect
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "workflow"), str(ROOT / "tests")]

import thin  # noqa: E402
from drawn_tables import FOLDER, TABLES, numbers_of, record_of  # noqa: E402
from entries import CHARTS, FIGURES, LEDGERS  # noqa: E402
from entries import TABLES as READ  # noqa: E402
from reproduce.errors import UserError, run_tool  # noqa: E402
from reproduce.records.paths import TABLE  # noqa: E402
from reproduce.records.tables import metadata_of, read_table  # noqa: E402
from reproduce.tables.axes import axes_of  # noqa: E402
from reproduce.tools import verdicts  # noqa: E402

# How much of a table is kept: seeds of a setting, steps of a run, fewer of a metric with many indices.
_SEEDS, _STEPS, _FEWER_STEPS, _MANY = 2, 5, 3, 400


def thin_for_figures(path):
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
    FOLDER.mkdir(exist_ok=True)
    with pq.ParquetWriter(FOLDER / path.name, rows.schema, compression="zstd", compression_level=19) as writer:
        writer.add_key_value_metadata(metadata_of(whole))
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


def record(document, names):
    """Write the numbers of a document's figures and charts, each from the tables that it is drawn from."""
    reached, numbers = set(), []
    for table in TABLES:
        for name in names:
            with Reached() as code:
                drawn = numbers_of(name, table)
            if table == next(iter(TABLES)) or code.found - reached:
                reached |= code.found
                numbers.append(drawn)
    path = record_of(document)
    path.parent.mkdir(exist_ok=True)
    pd.concat(numbers, ignore_index=True).to_parquet(path, index=False, compression="zstd")
    return f"{document}: {sum(map(len, numbers))} numbers of {len(names)} drawings"


def main() -> None:
    """Record the named documents, or all: for all, this takes minutes."""
    drawn, drawings = FIGURES | CHARTS, {}
    for name in sorted(drawn):
        drawings.setdefault(name.rpartition("-")[0], []).append(name)
    known = sorted({*LEDGERS, *drawings})
    documents = [name.replace("_", "-") for name in sys.argv[1:]] or known
    if unknown := [name for name in documents if name not in known]:
        raise UserError(f"there is no document {unknown[0]!r}; allowed: {', '.join(known)}")
    own = {name: drawings[name] for name in documents if name in drawings}
    figures = {each for names in own.values() for name in names for each in inspect.signature(drawn[name]).parameters}
    judged = {each for name in documents for each in READ.get(name, ())}
    paths = {name: Path(TABLE.format(experiment=name)) for name in figures | judged}
    if missing := [str(path) for path in paths.values() if not path.exists()]:
        raise UserError(f"{', '.join(sorted(missing))} missing; make them first: snakemake --cores 8")
    for name in sorted(figures):
        thin_for_figures(paths[name])
    with ProcessPoolExecutor(2) as pool:
        # The largest tables are first, as they take longest.
        largest = sorted(judged, key=lambda name: -paths[name].stat().st_size)
        for line in pool.map(thin.thin, largest, repeat(next(iter(paths.values())).parent)):
            print(line, flush=True)
        for line in pool.map(record, own, own.values()):
            print(line, flush=True)
    verdicts.record(documents)


if __name__ == "__main__":
    run_tool(main)
