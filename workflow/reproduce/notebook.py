"""Five functions for notebooks, which the science offers with examples. They call what jobs call.

Results and config.yaml are those of the working folder, of the first folder above it that has them, or else of the
folder of this library.
"""

import io
import json
import warnings
from collections.abc import Iterable, Mapping
from contextlib import redirect_stderr
from copy import deepcopy
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import pandas as pd
import yaml
from matplotlib.figure import Figure
from tqdm import tqdm

from reproduce.claims.claim import Claim
from reproduce.claims.entries import join_statements
from reproduce.claims.judging import row_of
from reproduce.code.modules import Package
from reproduce.config.check import resolve
from reproduce.config.documents import figures_of, ledgers_of
from reproduce.config.faults import suggest
from reproduce.config.metrics import metrics_of
from reproduce.config.plan import Plan
from reproduce.errors import UserError
from reproduce.figures.sheet import draw_or_explain
from reproduce.jobs import aggregate
from reproduce.jobs import train as training
from reproduce.jobs.draw import mark_reduced
from reproduce.jobs.frames import to_table
from reproduce.records.job import Job, import_function
from reproduce.records.paths import LEDGER, RESULTS, STYLE, TABLE
from reproduce.records.provenance import merge_reduced
from reproduce.records.statements import read_headings
from reproduce.records.tables import metadata_of, read_table
from reproduce.tables.axes import RECORD_COLUMNS
from reproduce.tables.selection import Selection
from reproduce.tables.table import Table
from reproduce.tables.words import divergence_note, listing

_PACKAGE = Package()
_EXPERIMENTS = _PACKAGE.rooms_in("experiments")
# The attribute of a frame that describes its runs. pandas keeps it with the rows that a user selects.
_RUNS = "runs"
# The columns that every frame has; its other columns are further axes.
_COLUMNS = ("experiment", "seed", *RECORD_COLUMNS)


def table(experiment: str) -> pd.DataFrame:
    """Return the table of an experiment: one row per measured value; `attrs["units"]` has the units of its metrics."""
    _find(experiment, _EXPERIMENTS, "experiment")
    return _frame(_path(TABLE.format(experiment=experiment)), experiment)


def verdicts(document: str) -> pd.DataFrame:
    """Return the ledger of a document: one row per statement, with the document's value, ours and the verdict."""
    _find(document, ledgers_of(_PACKAGE, _EXPERIMENTS), "document")
    return read_table(_path(LEDGER.format(document=document))).to_pandas()


def train(experiment: str, grid: str = "", **changes: object) -> pd.DataFrame:
    """Train nets with the settings of config.yaml, some of them changed, and return their table, as `table` does.

    grid: the grid of the experiment whose settings are changed; by default its first grid. A figure shows the runs of
        some blocks, such as those of the grid of that name, and says so if the given table has none.
    changes: axis or setting → its value; a list or an array of values of an axis trains a net for each.
    Writes no result. Warns of runs that diverged. `settings.py` in the folder of an experiment explains its settings,
    and `run.py` the metrics in its table.
    """
    config = yaml.safe_load(_path("config.yaml").read_text(encoding="utf-8"))
    block = deepcopy(resolve({**config, "only": [_find(experiment, _EXPERIMENTS, "experiment")]})[experiment])
    grid = _find(grid or next(iter(block["grids"])), block["grids"], f"grid of {experiment}")
    chosen = block["grids"][grid]
    places = {name: place for place in (block, chosen, chosen["axes"]) for name in place.keys() - {"grids", "axes"}}
    for name, value in changes.items():
        # As JSON, because the config has no NumPy values.
        plain = json.loads(json.dumps(value, default=lambda own: own.tolist()))
        places[_find(name, places, f"axis or setting of {experiment}")][name] = plain
    block["grids"] = {grid: chosen}
    plan = Plan({**config, "only": [experiment], "experiments": {experiment: block}})
    joined = plan.results[TABLE.format(experiment=experiment)]
    with TemporaryDirectory() as folder:
        output, runs = Path(folder, "table.parquet"), []
        for number, result in enumerate(tqdm([plan.results[path] for path in joined.inputs["runs"]], unit="run")):
            runs.append(Path(folder, f"{number}.parquet"))
            read = [path for paths in result.inputs.values() for path in paths]
            data = [_path(path) for path in read if path.startswith(RESULTS)]
            files = [Path(path) for path in read if not path.startswith(RESULTS)]
            with redirect_stderr(io.StringIO()):
                training.main(Job(result.spec, result.code), data, files, runs[-1])
        aggregate.main(Job(joined.spec, joined.code), runs, output)
        frame = _frame(output, experiment)
    frame.attrs[_RUNS]["in_workflow"] = False
    if note := divergence_note(frame, step="step"):
        warnings.warn(note, stacklevel=2)
    return frame


def draw(figure: str, *tables: pd.DataFrame) -> Figure:
    """Draw a figure of a document from the given tables, and from the workflow's tables for what is not given.

    figure: DOCUMENT/NAME, as in results/figures; for another name, the error lists all.
    tables: frames of `table` or `train`, or of runs that you made yourself. Such a frame has the columns experiment,
        seed, step, metric, index and value; each further column is an axis.
    """
    figures = {"/".join(key): each for key, each in figures_of(_PACKAGE, _EXPERIMENTS).items()}
    found = figures[_find(figure, figures, "figure")]
    frames = _complete(_by_experiment(tables), found.tables)
    with plt.style.context(["default", _PACKAGE.root / STYLE]):
        runs = {name: _to_table(frame) for name, frame in frames.items()}
        drawn = draw_or_explain(partial(import_function(found.entry), **runs))
        if reduced := _reduced(frames):
            mark_reduced(drawn, reduced)
        # Jupyter shows all open figures, and the result of a cell: this one once.
        plt.close(drawn)
    return drawn


def judge(claim: str | Claim, *tables: pd.DataFrame) -> pd.Series:
    """Judge a claim from the given tables, and from the workflow's tables for what is not given; return its row.

    claim: DOCUMENT/NAME, or a claim of your own. The runs of `train` count as those that the claim selects, also if
        they have other settings: the remark names these.
    tables: as for `draw`. Nobody recorded the settings of runs that you made yourself: they count as those selected.
    """
    claim = _claim(claim) if isinstance(claim, str) else claim
    selections, given, changed = claim.measure.selections, _by_experiment(tables), []
    frames = _complete(given, [each.experiment for each in selections])
    runs = {name: _to_table(frame) for name, frame in frames.items()}
    for selection in selections:
        if (name := selection.experiment) in given:
            runs[name], found = _as_selected(runs[name], selection)
            changed += found
    row = row_of(claim, runs, _reduced(frames))
    return pd.Series({**row, "remark": "; ".join(filter(None, [str(row["remark"]), *changed]))})


def _as_selected(runs: Table, selection: Selection) -> tuple[Table, list[str]]:
    """Return the runs of one grid as if they had the selected axes and settings, and the words for each change."""
    if len(runs.grids) > 1:
        return runs, []
    frame, (grid,), changed = runs.frame.copy(), deepcopy(runs.grids), []
    for name, value in selection.wanted.items():
        place = grid["axes"] if name in frame else grid["settings"]
        own = frame[name].unique().tolist() if name in frame else [place.get(name)]
        if any(selection.allows({name: each}) for each in own):
            continue
        if len(own) > 1:
            one = f"own[own[{name!r}] == {own[0]!r}]"
            raise UserError(f"the given runs have {name} {listing(own)}: judge one value at a time, such as {one}")
        wanted = value[0] if isinstance(value, list | tuple) else value
        changed.append(f"{name} {own[0]} instead of {wanted}")
        place[name] = [wanted] if name in frame else wanted
        if name in frame:
            frame[name] = wanted
    return Table(frame, [grid], in_workflow=runs.in_workflow), changed


def _claim(name: str) -> Claim:
    ledgers = ledgers_of(_PACKAGE, _EXPERIMENTS)
    ledger = ledgers[_find(name.partition("/")[0], ledgers, "document")]
    entries = join_statements(read_headings(ledger.sources["statements"]), import_function(ledger.entry)().tests)
    claims = {f"{ledger.document}/{each.name}": each for each in entries if isinstance(each, Claim)}
    return claims[_find(name, claims, "claim")]


def _frame(path: Path, experiment: str) -> pd.DataFrame:
    rows = read_table(path)
    runs = to_table(rows)
    frame = runs.frame
    for name in frame.select_dtypes("category"):
        frame[name] = frame[name].cat.as_ordered()
    units = {row["metric"]: row["unit"] for row in metrics_of(_PACKAGE, experiment)}
    described = {"grids": runs.grids, "reduced": metadata_of(rows)["reduced"], "in_workflow": True}
    frame.attrs = {"units": units, _RUNS: described}
    return frame


def _to_table(frame: pd.DataFrame) -> Table:
    """Return a frame as figures and claims read it. A frame that a user made has no attribute that describes it."""
    # Without attributes, because pandas would copy them with each selection of rows.
    plain, described = frame.copy(deep=False), frame.attrs.get(_RUNS)
    plain.attrs = {}
    if described is None:
        return Table.by_hand(plain)
    return Table(plain, described["grids"], in_workflow=described["in_workflow"])


def _reduced(frames: Mapping[str, pd.DataFrame]) -> str:
    return merge_reduced(frame.attrs.get(_RUNS, {}).get("reduced", "") for frame in frames.values())


def _complete(given: Mapping[str, pd.DataFrame], experiments: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Return the given tables of these experiments, and the workflow's of those that are not given."""
    return {name: given[name] if name in given else table(name) for name in dict.fromkeys(experiments)}


def _by_experiment(tables: Iterable[pd.DataFrame]) -> dict[str, pd.DataFrame]:
    given = list(tables)
    for each in given:
        if each.empty:
            raise UserError("a given table has no rows: compare its selection with the values in the whole table")
        if missing := [name for name in _COLUMNS if name not in each]:
            raise UserError(f"a given table has no column {missing[0]!r}; needed: {', '.join(_COLUMNS)}")
    return {str(each["experiment"].iloc[0]): each for each in given}


def _path(name: str) -> Path:
    """Return the path of a file in the working folder, above it, or beside this library: the first that exists."""
    home = _PACKAGE.root.parent.resolve()
    for folder in (Path.cwd(), *Path.cwd().parents, home):
        if (folder / name).exists():
            return folder / name
    raise UserError(
        f"neither this folder, one above it, nor {home} has {name}; make it with: snakemake --cores 8 {name}"
    )


def _find(name: str, known: Iterable[str], noun: str) -> str:
    if name not in known:
        raise UserError(f"there is no {noun} {name!r}{suggest(name, known)}; allowed: {', '.join(known)}")
    return name
