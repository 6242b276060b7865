"""The functions for notebooks work for every experiment and document, at the sizes of tests/tiny.yaml."""

from functools import cache
from importlib import import_module

import matplotlib.pyplot as plt
import pytest
import yaml

import deepnets
from conftest import tiny_config
from default_tables import FOLDER, claims_of
from entries import EXPERIMENTS, LEDGERS, PACKAGE
from reproduce import notebook
from reproduce.claims.judging import FAULT
from reproduce.config.documents import drawings_of
from reproduce.errors import UserError
from reproduce.jobs.job import Job

FIGURES = drawings_of("figure", PACKAGE, EXPERIMENTS)


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory):
    """A folder with the tiny config and thinned tables, in which jobs run one by one in this process."""
    folder = tmp_path_factory.mktemp("every")
    (folder / "config.yaml").write_text(yaml.safe_dump(tiny_config()), encoding="utf-8")
    (folder / "results").mkdir()
    (folder / "results/tables").symlink_to(FOLDER)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(notebook, "processors", lambda: 1)
        patch.setattr(notebook, "_run_job", run_here)
        yield


def run_here(program, planned, output, record):
    data = [notebook._path(path) for paths in planned.inputs.values() for path in paths]
    import_module(f"reproduce.jobs.{program}").main(Job(planned.spec, planned.entry, record), data, output)


@cache
def trained(experiment):
    return deepnets.train(experiment)


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_a_trained_table_is_like_that_of_the_workflow(experiment):
    own, theirs = trained(experiment), deepnets.table(experiment)
    assert [*own] == [*theirs]
    assert own.attrs["units"] == theirs.attrs["units"]
    for table in (own, theirs):
        assert table.attrs["units"].keys() >= set(table["metric"]) - {"diverged"}
        assert all(column.cat.ordered for _, column in table.select_dtypes("category").items())


@pytest.mark.filterwarnings("ignore:Attempting to set identical")
@pytest.mark.parametrize("document", LEDGERS)
def test_trained_tables_are_drawn_and_judged(off_screen, document):
    for (of, name), figure in FIGURES.items():
        if of == document:
            drawn = deepnets.draw(f"{document}/{name}", *map(trained, figure.tables))
            assert all(axis.has_data() or axis.texts for axis in drawn.axes if axis.get_visible()), name
            plt.close("all")
    # One claim for each combination of experiments.
    for experiments, name in {
        frozenset(each.experiment for each in claim.measure.selections): claim.name for claim in claims_of(document)
    }.items():
        try:
            row = deepnets.judge(f"{document}/{name}", *map(trained, experiments))
            assert row["verdict"] and FAULT not in row["remark"], (name, row["remark"])
        except UserError as error:
            assert "judge one value at a time" in str(error), name
