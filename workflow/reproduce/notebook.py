"""Six functions for notebooks, which the science offers with examples. They call what jobs call.

Results and config.yaml are those of the working folder, of the first folder above it that has them, or else of the
folder of this library. An installed library contains a config.yaml; those of other programs are skipped.
"""

import os
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, suppress
from copy import deepcopy
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from snakemake import PIP_DEPLOYMENTS_PATH
from tqdm import tqdm

from reproduce.claims.claim import Claim
from reproduce.claims.judging import row_of
from reproduce.code.modules import Package, launcher
from reproduce.code.science import SCIENCE
from reproduce.config import files
from reproduce.config.check import declared_in, resolve
from reproduce.config.documents import drawings_of, ledgers_of
from reproduce.config.environment import processors
from reproduce.config.experiments import units_of
from reproduce.config.fields import values_of
from reproduce.config.plan import Plan, Result
from reproduce.errors import UserError, check_name
from reproduce.figures.sheet import draw_or_explain
from reproduce.jobs import aggregate
from reproduce.jobs.draw import mark_reduced
from reproduce.jobs.frames import draw_tables, to_table
from reproduce.jobs.job import Job, import_function
from reproduce.records.command import command_line
from reproduce.records.datasets import read
from reproduce.records.paths import DATASET, LEDGER, STYLE, TABLE
from reproduce.records.record import merge_reduced, record_of
from reproduce.records.tables import metadata_of, read_table
from reproduce.tables.given import by_experiment
from reproduce.tables.selection import EVERY, Selection
from reproduce.tables.table import GIVEN, Table
from reproduce.tables.words import divergence_note, listing, standstill_note
from reproduce.tools.reach import reach_of
from reproduce.tools.readme import claims_of
from reproduce.tools.why import explain

# Snakemake adds this folder, which each working folder may have, to those in which Python finds modules.
with suppress(ValueError):
    sys.path.remove(PIP_DEPLOYMENTS_PATH)
_PACKAGE = Package()
_EXPERIMENTS = _PACKAGE.rooms_in("experiments")
# The attribute of a frame that describes its runs. pandas keeps it with the rows that a user selects.
_RUNS = "runs"


class Verdicts(pd.DataFrame):
    """Rows of a ledger, which a notebook shows with whole statements: pandas would cut them at 50 letters."""

    @property
    def _constructor(self) -> type["Verdicts"]:
        return Verdicts

    def _repr_html_(self) -> str | None:
        with pd.option_context("display.max_colwidth", None):
            return super()._repr_html_()


def table(experiment: str) -> pd.DataFrame:
    """Return the table of an experiment: one row per measured value; `attrs["units"]` has the units of its metrics."""
    check_name(experiment, "experiment", _EXPERIMENTS)
    return _frame(_path(TABLE.format(experiment=experiment)), experiment)


def verdicts(document: str) -> pd.DataFrame:
    """Return the ledger of a document: one row per statement, with the document's value, ours and the verdict."""
    check_name(document, "document", ledgers_of(_PACKAGE, _EXPERIMENTS))
    return Verdicts(read_table(_path(LEDGER.format(document=document))).to_pandas())


def train(experiment: str, grid: str = "", **changes: object) -> pd.DataFrame:
    """Train nets with the settings of config.yaml, some of them changed, and return their table, as `table` does.

    grid: the grid of the experiment whose settings are changed; by default the first that has the given
        init and depth, or else the first. The progress bar names it. A figure shows the runs of some blocks, such as
        those of the grid of that name, and says so if the given table has none.
    changes: axis or setting → its value; several values of an axis (a list, a range, an array, ...) train a net for
        each.
    Each net is trained in a process of its own, as in the workflow, so it changes nothing in this one. Of results, it
    writes only data sets that are missing. Warns of runs that diverged, and of nets that did not change. config.yaml
    explains the settings of an experiment, and `run.py` in its folder the metrics in its table.
    """
    home, config = _config()
    check_name(experiment, "experiment", _EXPERIMENTS)
    block = deepcopy(resolve({**config, "only": [experiment]})[experiment])
    plain = {name: _plain(value) for name, value in changes.items()}
    grid = grid or _grid_with(block["grids"], plain)
    check_name(grid, f"grid of {experiment}", block["grids"])
    chosen = block["grids"][grid]
    places = {name: place for place in (block, chosen, chosen["axes"]) for name in place.keys() - {"grids", "axes"}}
    for name, value in plain.items():
        check_name(name, f"axis or setting of {experiment}", places)
        places[name][name] = value
    block["grids"] = {grid: chosen}
    plan = Plan({**config, "only": [experiment], "experiments": {experiment: block}})
    joined = plan.results[TABLE.format(experiment=experiment)]
    points = [plan.results[path] for path in joined.inputs["runs"]]
    _make_missing_data(plan, points[0], home)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(processors()) as processes:
        output = Path(folder, "table.parquet")
        runs = [Path(folder, f"{number}.parquet") for number in range(len(points))]
        records = [path.with_suffix(".json") for path in runs]
        done = processes.map(partial(_run_job, "train"), points, runs, records)
        for _ in tqdm(done, f"{experiment}, grid {grid}", len(points), unit="run", leave=False):
            pass
        aggregate.main(Job(joined.spec, joined.entry, output.with_suffix(".json")), runs, output)
        frame = _frame(output, experiment)
    frame.attrs[_RUNS]["source"] = GIVEN
    for note in filter(None, (divergence_note(frame, step="step"), standstill_note(frame))):
        warnings.warn(note, stacklevel=2)
    return frame


def draw(figure: str, *tables: pd.DataFrame) -> Figure:
    """Draw a figure of a document from the given tables, and from the workflow's tables for what is not given.

    figure: DOCUMENT/NAME, as in results/figures; for another name, the error lists all.
    tables: frames of `table` or `train`, or of runs that you made yourself. Such a frame has the columns step, metric,
        index and value; each further column is an axis.
    """
    figures = {"/".join(key): each for key, each in drawings_of("figure", _PACKAGE, _EXPERIMENTS).items()}
    check_name(figure, "figure", figures)
    found = figures[figure]
    _, runs, reduced = _tables_of(tables, found.tables, f"the figure {figure}")
    with plt.style.context(["default", _PACKAGE.root / STYLE]):
        try:
            drawn = draw_or_explain(partial(draw_tables, import_function(found.entry), runs))
        except Exception as error:
            if isinstance(error, UserError) or not tables:
                raise
            reason = f"{type(error).__name__}: {error}"
            raise UserError(f"{figure} cannot be drawn; maybe the given tables lack rows ({reason})") from error
        # Jupyter shows all open figures, and the result of a cell: this one once.
        plt.close(drawn)
        if reduced:
            mark_reduced(drawn, reduced)
    return drawn


def judge(claim: str | Claim, *tables: pd.DataFrame) -> pd.Series:
    """Judge a claim from the given tables, and from the workflow's tables for what is not given; return its row.

    claim: DOCUMENT/NAME, or a claim of your own. The runs of `train` count as those that the claim selects, also if
        they have other settings: the remark names these.
    tables: as for `draw`. Nobody recorded the settings of runs that you made yourself: they count as those selected.
    """
    document = ""
    if not isinstance(claim, Claim):
        (document, _, name), ledgers = str(claim).partition("/"), ledgers_of(_PACKAGE, _EXPERIMENTS)
        where = f"{claim!r} should be DOCUMENT/NAME of a statement (settings and errata have no verdict) or a Claim: "
        check_name(document, "document", ledgers, where)
        claims = claims_of(ledgers[document])
        check_name(name, "claim", claims, where)
        claim = claims[name]
    selections, changed = claim.measure.selections, []
    given, runs, reduced = _tables_of(tables, [each.experiment for each in selections], f"the claim {claim.name}")
    for name, frame in given.items():
        runs[name], found = _as_selected(runs[name], [each for each in selections if each.experiment == name])
        changed += found if frame.attrs.get(_RUNS) else [*found, f"nobody recorded the settings of the given {name}"]
    row = row_of(claim, runs, reduced)
    return pd.Series(asdict(replace(row, document=document, remark="; ".join(filter(None, [row.remark, *changed])))))


def reach(name: str) -> pd.DataFrame:
    """Return how far verdicts reach: one row per step from a claim's runs, first the steps that change its verdict.

    name: DOCUMENT, or DOCUMENT/NAME for one of its claims. A step takes seconds, and a document minutes.
    """
    (document, _, claim), (home, config) = str(name).partition("/"), _config()
    with chdir(home):
        plan = Plan(config)
    return Verdicts(reach_of(document, plan, lambda each: read(_path(DATASET.format(dataset=each))), claim))


def why(file: str | Path) -> None:
    """Print why snakemake would make a file again: each setting, function, package or file that changed.

    file: its path from the folder of config.yaml on.
    """
    home, config = _config()
    with chdir(home):
        print(explain(str(file), Plan(config)))


def _as_selected(runs: Table, selections: Sequence[Selection]) -> tuple[Table, list[str]]:
    """Return the runs of one grid as if they had the selected axes and settings, and the words for each change.

    What two selections of a claim compare, such as two depths, the runs must have.
    """
    if len(runs.grids) > 1:
        return runs, []
    frame, (grid,), changed = runs.frame.copy(), deepcopy(runs.grids), []
    for name in dict.fromkeys(name for each in selections for name in each.wanted):
        place = grid["axes"] if name in frame else grid["settings"]
        own = frame[name].unique().tolist() if name in frame else [place.get(name)]
        choices = [each.wanted[name] for each in selections if each.wanted.get(name, EVERY) is not EVERY]
        missed = [each for each in selections if not any(each.allows({name: value}) for value in own)]
        if not missed or any(each != choices[0] for each in choices):
            continue
        if len(own) > 1:
            one = f"own[own[{name!r}] == {own[0]!r}]"
            raise UserError(f"the given runs have {name} {listing(own)}: judge one value at a time, such as {one}")
        wanted = choices[0][0] if isinstance(choices[0], list | tuple) else choices[0]
        changed.append(f"{name} {own[0]} instead of {wanted}")
        place[name] = [wanted] if name in frame else wanted
        if name in frame:
            frame[name] = wanted
    return Table(frame, [grid], source=runs.source), changed


def _run_job(program: str, planned: Result, output: Path, record: Path) -> None:
    """Run a job as the workflow does: from its command line, in a process of its own."""
    data = [str(_path(path)) for paths in planned.inputs.values() for path in paths]
    named = {"data": data, "output": [str(output)], "record": [str(record)]}
    command = shlex.split(command_line(launcher(), program, planned.spec, planned.entry, named))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path})
    if done.returncode:
        raise UserError(done.stderr.strip().removeprefix("error: "))


def _make_missing_data(plan: Plan, planned: Result, home: Path) -> None:
    """Make the data sets that a result is made from, each after those that it reads, where none exists."""
    for path in (path for paths in planned.inputs.values() for path in paths):
        try:
            _path(path)
        except UserError:
            _make_missing_data(plan, plan.results[path], home)
            tqdm.write(f"There is no {path}: making it")
            _run_job("data", plan.results[path], home / path, Path(record_of(home / path)))


def _grid_with(grids: Mapping[str, dict], asked: Mapping[str, object]) -> str:
    """Return the first grid that has the asked init and depth, or else the first."""
    axes = {axis: values_of(asked[axis]) for axis in ("init", "depth") if axis in asked}
    fitting = (
        name
        for name, grid in grids.items()
        if all(value in values_of(grid["axes"][axis]) for axis, values in axes.items() for value in values)
    )
    return next(fitting, next(iter(grids)))


def _plain(value: Any) -> object:
    """Return a value as YAML would: the config has no arrays, ranges or tuples."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        return list(map(_plain, value))
    return value


def _frame(path: Path, experiment: str) -> pd.DataFrame:
    rows = read_table(path)
    runs = to_table(rows)
    frame = runs.frame
    for name in frame.select_dtypes("category"):
        frame[name] = frame[name].cat.as_ordered()
    described = {"grids": runs.grids, "reduced": metadata_of(rows)["reduced"], "source": runs.source}
    frame.attrs = {"units": units_of(_PACKAGE, experiment), _RUNS: described}
    return frame


def _tables_of(
    tables: Iterable[pd.DataFrame], experiments: Sequence[str], reader: str
) -> tuple[dict[str, pd.DataFrame], dict[str, Table], str]:
    """Return the given frames, all tables as a figure or a claim reads them, and how their runs are reduced.

    reader: the figure or the claim, in words. It reads the workflow's tables of experiments that are not given.
    """
    given, runs, reduced = by_experiment(tables, experiments, reader), {}, []
    for name in dict.fromkeys(experiments):
        frame = given[name] if name in given else table(name)
        # Without attributes, because pandas would copy them with each selection of rows.
        plain = frame.copy(deep=False)
        plain.attrs = {}
        # A frame that a user made has no attribute that describes it.
        if described := frame.attrs.get(_RUNS):
            runs[name] = Table(plain, described["grids"], source=described["source"])
            reduced.append(described["reduced"])
        else:
            runs[name] = Table.by_hand(plain)
    return given, runs, merge_reduced(reduced)


def _config() -> tuple[Path, dict]:
    """Return the folder of results, and the content of its config.yaml; raises UserError if this is no valid YAML."""
    here, installed = Path.cwd(), _PACKAGE.root / SCIENCE
    home = next((folder for folder in (*_places(), installed) if declared_in(folder)), here)
    with chdir(home):
        return here if home == installed else home, files.read([])


def _path(name: str) -> Path:
    """Return the path of a file in the working folder, above it, or beside this library: the first that exists."""
    places = _places()
    for folder in places:
        if (folder / name).exists():
            return folder / name
    raise UserError(
        f"neither this folder, one above it, nor {places[-1]} has {name}; make it in the folder of the workflow, with: "
        f"snakemake --cores 8 {name}"
    )


def _places() -> list[Path]:
    return [Path.cwd(), *Path.cwd().parents, _PACKAGE.root.parent.resolve()]
