"""Five functions for notebooks, which `import deepnets` offers. They call what jobs call.

Results and config.yaml are those of the working folder, of the first folder above it that has them, or else of the
folder of this library.
"""

import io
import json
import warnings
from collections.abc import Iterable, Mapping
from contextlib import redirect_stderr
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import pandas as pd
import yaml
from matplotlib.figure import Figure
from tqdm import tqdm

from reproduce.claims.claim import Claim
from reproduce.claims.statements import join_statements
from reproduce.code.modules import Package
from reproduce.config.check import resolve
from reproduce.config.documents import figures_of, ledgers_of
from reproduce.config.faults import suggest
from reproduce.config.metrics import metrics_of
from reproduce.config.plan import Plan
from reproduce.errors import UserError
from reproduce.jobs import aggregate
from reproduce.jobs import train as training
from reproduce.jobs.draw import mark_reduced
from reproduce.jobs.frames import to_frame
from reproduce.jobs.judge import row_of
from reproduce.records.job import Job, import_function
from reproduce.records.paths import LEDGER, RESULTS, STYLE, TABLE
from reproduce.records.provenance import merge_reduced
from reproduce.records.statements import read_blocks
from reproduce.records.tables import metadata_of, read_table
from reproduce.tables.selection import EVERY, add_grids
from reproduce.tables.words import divergence_note, listing

_PACKAGE = Package()
_EXPERIMENTS = _PACKAGE.rooms_in("experiments")


def table(experiment: str) -> pd.DataFrame:
    """Return the table of an experiment: one row per measured value; `attrs["units"]` has the units of its metrics.

    >>> deepnets.table("classifier").query("metric == 'test_accuracy'").groupby("depth")["value"].max()
    """
    _find(experiment, _EXPERIMENTS, "experiment")
    return _frame(_path(TABLE.format(experiment=experiment)), experiment)


def verdicts(document: str) -> pd.DataFrame:
    """Return the ledger of a document: one row per statement, with the document's value, ours and the verdict.

    >>> deepnets.verdicts("003-hierarchy")[["claim", "statement", "printed", "ours", "verdict"]]
    """
    _find(document, ledgers_of(_PACKAGE, _EXPERIMENTS), "document")
    return read_table(_path(LEDGER.format(document=document))).to_pandas()


def train(experiment: str, grid: str = "", **changes: object) -> pd.DataFrame:
    """Train nets with the settings of config.yaml, some of them changed, and return their table, as `table` does.

    grid: the grid of the experiment whose settings are changed; by default its first grid. A figure shows the runs of
        some blocks, such as those of the grid of that name, and says so if the given table has none.
    changes: axis or setting → its value; a list or an array of values of an axis trains a net for each.
    Writes no result. Warns of runs that diverged. `help("deepnets.experiments.hierarchy.settings")` explains the
    settings of that experiment, and `help("deepnets.experiments.hierarchy.run")` the metrics in its table.

    >>> deepnets.train("hierarchy", scale=[1e-9, 1], seeds=2, features=1000, learning_rate=30)
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
    frame.attrs["own"] = True
    if note := divergence_note(frame, step="step"):
        warnings.warn(note, stacklevel=2)
    return frame


def draw(figure: str, *tables: pd.DataFrame) -> Figure:
    """Draw a figure of a document from the given tables, and from the workflow's tables for what is not given.

    figure: DOCUMENT/NAME, as in results/figures; for another name, the error lists all.

    >>> own = deepnets.train("hierarchy", scale=1e-9, seeds=4, features=1000, learning_rate=30)
    >>> deepnets.draw("003-hierarchy/training_loss", own)
    """
    figures = {"/".join(key): each for key, each in figures_of(_PACKAGE, _EXPERIMENTS).items()}
    found, given = figures[_find(figure, figures, "figure")], _by_experiment(tables)
    frames = {name: given[name] if name in given else table(name) for name in found.tables}
    with plt.style.context(["default", _PACKAGE.root / STYLE]):
        drawn = import_function(found.entry)(**frames)
        if reduced := _reduced(frames):
            mark_reduced(drawn, reduced)
        # Jupyter shows all open figures, and the result of a cell: this one once.
        plt.close(drawn)
    return drawn


def judge(claim: str | Claim, *tables: pd.DataFrame) -> pd.Series:
    """Judge a claim from the given tables, and from the workflow's tables for what is not given; return its row.

    claim: DOCUMENT/NAME, or a claim of your own. The runs of `train` count as those that the claim selects, also if
        they have other settings: the remark names these.

    >>> own = deepnets.train("hierarchy", scale=1e-9, seeds=4, features=1000, learning_rate=30)
    >>> deepnets.judge("003-hierarchy/strong_modes_come_first", own)["verdict"]
    """
    claim = _claim(claim) if isinstance(claim, str) else claim
    given, frames, changed = _by_experiment(tables), {}, []
    for selection in claim.measure.selections:
        name = selection.experiment
        frame = frames.get(name, given.get(name))
        frames[name], found = (table(name), []) if frame is None else _as_selected(frame, selection.wanted)
        changed += found
    row = row_of(claim, frames, _reduced(frames))
    return pd.Series({**row, "remark": "; ".join(filter(None, [str(row["remark"]), *changed]))})


def _as_selected(frame: pd.DataFrame, wanted: Mapping[str, object]) -> tuple[pd.DataFrame, list[str]]:
    """Return the table of one grid as if its runs had the wanted axes and settings, and the words for each change."""
    if len(frame.attrs["grids"]) > 1:
        return frame, []
    frame, (grid,), changed = frame.copy(), deepcopy(list(frame.attrs["grids"])), []
    for name, value in wanted.items():
        allowed = list(value) if isinstance(value, list | tuple) else [value]
        place = grid["axes"] if name in frame else grid["settings"]
        own = frame[name].unique().tolist() if name in frame else [place.get(name)]
        if value is EVERY or any(each in allowed for each in own):
            continue
        if len(own) > 1:
            one = f"own[own[{name!r}] == {own[0]!r}]"
            raise UserError(f"the given runs have {name} {listing(own)}: judge one value at a time, such as {one}")
        if len(own) == 1:
            changed.append(f"{name} {own[0]} instead of {allowed[0]}")
            place[name] = [allowed[0]] if name in frame else allowed[0]
            if name in frame:
                frame[name] = allowed[0]
    return add_grids(frame, [grid]), changed


def _claim(name: str) -> Claim:
    ledgers = ledgers_of(_PACKAGE, _EXPERIMENTS)
    ledger = ledgers[_find(name.partition("/")[0], ledgers, "document")]
    entries = join_statements(read_blocks(dict(ledger.sources)["statements"]), import_function(ledger.entry)().tests)
    claims = {f"{ledger.document}/{each.name}": each for each in entries if isinstance(each, Claim)}
    return claims[_find(name, claims, "claim")]


def _frame(path: Path, experiment: str) -> pd.DataFrame:
    rows = read_table(path)
    frame = to_frame(rows)
    for name in frame.select_dtypes("category"):
        frame[name] = frame[name].cat.as_ordered()
    units = {row["metric"]: row["unit"] for row in metrics_of(_PACKAGE, experiment)}
    frame.attrs |= {"reduced": metadata_of(rows)["reduced"], "units": units}
    return frame


def _reduced(frames: Mapping[str, pd.DataFrame]) -> str:
    return merge_reduced(frame.attrs["reduced"] for frame in frames.values())


def _by_experiment(tables: Iterable[pd.DataFrame]) -> dict[str, pd.DataFrame]:
    given = list(tables)
    if any(each.empty for each in given):
        raise UserError("a given table has no rows: compare its selection with the values in the whole table")
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
