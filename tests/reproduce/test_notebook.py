import ast
import doctest
import io
import os
import random
import re
import shutil
import sys
from contextlib import redirect_stdout
from copy import deepcopy
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
import yaml

import deepnets
from conftest import ROOT, default_config
from deepnets.data.mnist import SUBSET
from default_tables import FOLDER
from reproduce import notebook
from reproduce.claims.claim import Claim
from reproduce.claims.criteria import Every
from reproduce.claims.measures import measure
from reproduce.config import files
from reproduce.errors import UserError
from reproduce.jobs import judge
from reproduce.jobs.job import Job
from reproduce.records.record import record_at
from reproduce.tables.selection import Selection

# A number that is not a part of a name.
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
CLAIM, FIGURE = "003-hierarchy/strong_modes_come_first", "003-hierarchy/training_loss"


@pytest.fixture(autouse=True)
def results(tmp_path, working_folder, monkeypatch):
    """A folder with the config, thinned tables and a ledger; the working folder lies below it."""
    # Beside the library lie a user's results.
    monkeypatch.setattr(notebook._PACKAGE, "root", working_folder / "workflow")
    shutil.copy(ROOT / "config.yaml", tmp_path)
    (tmp_path / "results/claims").mkdir(parents=True)
    (tmp_path / "results/tables").symlink_to(FOLDER)
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")


def write_ledger(document, room, *experiments):
    statements = ROOT / f"workflow/deepnets/documents/{room}/claims.md"
    tables = [FOLDER / f"{experiment}.parquet" for experiment in experiments]
    output = Path(f"../results/claims/{document}.parquet")
    job = Job(f'{{"document": "{document}"}}', f"deepnets.documents.{room}.claims:decisions", Path("record.json"))
    judge.main(job, [statements], tables, output)


def test_the_examples_run_and_statements_are_shown_whole():
    write_ledger("003-hierarchy", "hierarchy", "hierarchy", "regression")
    examples = [each.source for each in doctest.DocTestParser().get_examples(deepnets.__doc__)]
    assert all(f"deepnets.{name}(" in "".join(examples) for name in deepnets.__all__)
    exec("".join(examples), {"deepnets": deepnets})
    ledger = deepnets.verdicts("003-hierarchy")
    (statement,) = (shown := ledger[ledger["claim"] == CLAIM.partition("/")[2]])["statement"]
    assert len(statement) > 50 == pd.get_option("display.max_colwidth")
    assert statement in shown._repr_html_()


def test_a_net_of_ones_own_is_judged_and_its_settings_are_named():
    document, own = deepnets.judge(CLAIM), deepnets.judge(CLAIM, train(scale=1e-6, seeds=4))
    assert document["verdict"] == own["verdict"] == "reproduced"
    assert "scale 1e-06 instead of 1e-12" in own["remark"]
    assert "instead of" not in document["remark"]
    swept = train(scale=[1e-6, 10], seeds=4)
    assert deepnets.judge(CLAIM, swept[swept["scale"] == 1e-6])["verdict"] == "reproduced"
    # From large weights, all modes start above half their strength.
    assert deepnets.judge(CLAIM, train(scale=10))["verdict"] != "reproduced"


def test_runs_that_were_made_by_hand_are_drawn_and_judged():
    trained = train(seeds=4)
    own = pd.DataFrame(trained.drop(columns="block").to_dict("list"))
    assert not own.attrs
    row, of_trained = deepnets.judge(CLAIM, own), deepnets.judge(CLAIM, trained)
    assert (row["verdict"], row["ours"]) == (of_trained["verdict"], of_trained["ours"])
    # The number of features is a setting that nobody recorded; the axes are known.
    unknown = "learning_rate 30.0 instead of 100; nobody recorded the settings of the given hierarchy"
    assert row["remark"] == unknown != of_trained["remark"]
    figures = [deepnets.draw("003-hierarchy/training_loss", each) for each in (own, trained)]
    own_lines, lines = ([list(line.get_ydata()) for line in each.axes[0].lines] for each in figures)
    assert own_lines == lines


def test_an_error_in_a_measure_is_named_with_its_line(capsys):
    runs, line = Selection("hierarchy", depth=2), divide.__code__.co_firstlineno
    broken = Claim(
        **{"name": "mine", "place": "here", "kind": "trend", "statement": "", "because": ""},
        **{"measure": measure(divide, runs), "criterion": Every(1, 1)},
    )
    row = deepnets.judge(broken, train())
    reason = f"this claim could not be judged: ZeroDivisionError: division by zero ({__file__}, divide)"
    assert (row["verdict"], row["remark"]) == ("not testable here", reason)
    assert capsys.readouterr().out.startswith(f'claim mine: {reason}\n  File "{__file__}", line {line + 1}')


def divide(rows):
    return 1 / 0


@pytest.mark.parametrize(
    ("rate", "warning"),
    [
        (1e6, "Here the only run left the finite numbers at step"),
        (1e-300, r"nothing changed in 1 of 1 run \(.*init fan_sum_normal.*all gradients may be 0"),
    ],
)
def test_runs_that_diverged_and_nets_that_do_not_change_are_warned_of(rate, warning):
    with pytest.warns(UserWarning, match=warning) as caught:
        train(learning_rate=rate)
    assert caught[0].filename == __file__


def test_a_figure_draws_the_given_tables_in_the_style_of_all_figures_and_marks_the_subset():
    # The figure needs one rate.
    table = train(scale=0.001, learning_rate=[20, 30])
    figure = deepnets.draw("003-hierarchy/training_loss", table)
    (axis,) = figure.axes
    assert axis.lines[0].get_ydata()[0] == table.query("metric == 'train_loss'")["value"].iloc[0]
    assert axis.xaxis.label.get_size() == 8
    assert figure.get_layout_engine() is not None
    table.attrs["runs"]["reduced"] = SUBSET
    assert "subset" in deepnets.draw("003-hierarchy/training_loss", table).get_supxlabel()


def test_outside_the_workflow_the_config_is_that_beside_the_library(monkeypatch):
    monkeypatch.chdir("/")
    assert train()["scale"].unique() == [1e-12]


def train(**changes):
    """Train once for all tests; seed, learning rate and the number of features are small."""
    plain = {name: notebook._plain(value) for name, value in changes.items()}
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    trained = _trained(**{"features": 1000, "seeds": 1, "learning_rate": 30, **plain})
    copied = trained.copy()
    copied.attrs = deepcopy(trained.attrs)
    return copied


@cache
def _trained(**changes):
    return deepnets.train("hierarchy", "plain", **changes)


def test_training_changes_nothing_in_this_process_and_computes_as_jobs_do():
    random.seed(3), np.random.seed(3), torch.manual_seed(3)
    before = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()
    settings = torch.get_num_threads(), dict(os.environ)
    now, earlier = deepnets.train("regression"), deepnets.table("regression")
    assert before == (random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist())
    assert all(map(os.path.isabs, sys.path))
    assert settings == (torch.get_num_threads(), dict(os.environ))
    kept = now.merge(earlier, on=[name for name in earlier if name != "value"])
    assert kept["value_x"].to_numpy() == pytest.approx(kept["value_y"].to_numpy(), rel=1e-9, abs=1e-12)


def test_a_missing_data_set_is_made_as_by_the_workflow(monkeypatch):
    monkeypatch.setenv("MNIST_DIR", "/nowhere")
    with pytest.raises(UserError, match="MNIST_DIR names:\n    /nowhere is not a folder"):
        deepnets.train("mnist_modes")
    config = yaml.safe_load(Path("../config.yaml").read_text(encoding="utf-8"))
    config["data"]["mnist"]["source"] = "embedded"
    config["data"]["whitened"] = {"images": 500, "components": 5}
    Path("../config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    assert deepnets.train("input_correlations").attrs["runs"]["reduced"] == SUBSET
    assert record_at("../results/data/mnist.npz").reduced == SUBSET


def test_joined_and_reread_tables_are_judged_as_their_runs(tmp_path):
    own = train(seeds=4)
    own.to_csv(tmp_path / "own.csv", index=False)
    own.to_parquet(tmp_path / "own.parquet")
    halves = [own[own["seed"].isin(seeds)] for seeds in ([0, 1], [2, 3])]
    others = [pd.concat(halves), pd.read_csv(tmp_path / "own.csv"), pd.read_parquet(tmp_path / "own.parquet")]
    # The columns of a record and axes are enough.
    others.append(pd.DataFrame(own[["seed", "step", "metric", "index", "value"]].to_dict("list")))
    others += [own.astype(object), own.astype(dict.fromkeys(["seed", "scale", "metric"], "category"))]
    wanted = deepnets.judge(CLAIM, own)
    for each in others:
        row = deepnets.judge(CLAIM, each)
        assert (row["verdict"], row["ours"], row["count"]) == (wanted["verdict"], wanted["ours"], "4")


def test_a_run_with_infinite_values_is_drawn_as_one_that_diverged():
    (axis,) = deepnets.draw(FIGURE, train().assign(value=np.inf)).axes
    assert "the only run left the finite numbers" in " ".join(axis.texts[0].get_text().split())
    own = train()
    own.loc[own["step"] > 100, "value"] = np.inf
    figure = deepnets.draw(FIGURE, own)
    assert figure.axes[0].lines[0].get_xdata().max() == 100
    assert "the only run left the finite numbers at update 101" in figure.get_suptitle()


def test_the_first_grid_with_the_given_init_and_depth_is_taken():
    grids = {"linear": ("zeros", 1), "two": ("normal", 2), "deep": ("normal", [3, 6])}
    grids = {name: {"axes": {"init": init, "depth": depth}} for name, (init, depth) in grids.items()}
    asked = [{}, {"depth": 6}, {"depth": [2]}, {"init": "normal"}, {"init": "zeros", "depth": 6}]
    assert [notebook._grid_with(grids, each) for each in asked] == ["linear", "deep", "two", "two", "linear"]


@pytest.mark.parametrize("foreign", ["title: my site", "site: !ENV NAME", "experiments: [a, b]"])
def test_a_config_of_another_program_is_none_of_ours(monkeypatch, tmp_path, foreign):
    Path("config.yaml").write_text(foreign, encoding="utf-8")
    assert notebook._config()[0] == tmp_path
    if "title" in foreign:
        with pytest.raises(UserError, match=f"^{re.escape(str(Path.cwd()))}/config.yaml has no key"):
            files.read([])
    # Installed beside other packages, the library has its own config, but no folder of results.
    (library := tmp_path / "site-packages").joinpath("deepnets").mkdir(parents=True)
    (library / "deepnets/config.yaml").write_bytes((ROOT / "config.yaml").read_bytes())
    monkeypatch.setattr(notebook._PACKAGE, "root", library)
    (tmp_path / "config.yaml").unlink()
    assert notebook._config() == (Path.cwd(), default_config())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: deepnets.table("hierachy"), r"'hierachy' is no experiment \(did you mean 'hierarchy'\?\)"),
        (lambda: deepnets.verdicts("004-zero"), "004-zero.parquet; make it in the folder"),
        (lambda: deepnets.train("hierarchy", dept=3), "'dept' is no axis or setting of hierarchy .did you mean 'dep"),
        (lambda: deepnets.why("results/tables/hierachy.parquet"), "did you mean 'results/tables/hierarchy.parquet'"),
        (lambda: deepnets.judge("003-hierarchy/loss"), "'loss' is no claim"),
        (lambda: deepnets.judge("strong_modes_come_first"), "should be DOCUMENT/NAME of a statement .* is no document"),
        (
            lambda: deepnets.judge("003-hierarchy/loss_has_bump"),
            "errata have no verdict.*did you mean 'loss_has_bumps'",
        ),
        (lambda: deepnets.judge(None), "None should be DOCUMENT/NAME .* or a Claim: 'None' is no document"),
        (lambda: deepnets.judge(CLAIM, train(scale=[0.1, 1])), "scale 0.1, 1: judge one value at a time"),
        (lambda: deepnets.judge(CLAIM, train().drop(columns="value")), "a given table has no column 'value'"),
        (lambda: deepnets.judge(CLAIM, train(seeds=4).drop(columns="seed")), "two values for depth 2, init fan_s"),
        (lambda: deepnets.judge(CLAIM, train().assign(wdith=3)), "'wdith' is no axis of hierarchy"),
        (lambda: deepnets.judge(CLAIM, train(), train()), "two of the given tables contain hierarchy"),
        (lambda: deepnets.draw(FIGURE, train(), train()), "draw or judge one after the other, or join their runs"),
        (lambda: deepnets.draw(FIGURE, train().assign(value=np.nan)), "a given table has no rows with a value"),
        (lambda: deepnets.draw(FIGURE, pa.table({})), "of type Table; .* convert it with its method to_pandas"),
        (lambda: deepnets.draw(FIGURE, pd.concat([train()] * 2, axis=1)), "two columns 'experiment'"),
        (lambda: deepnets.draw(FIGURE, train().assign(scale="a")), "scale that does not contain only numbers"),
        (lambda: deepnets.draw(FIGURE, train().assign(depth=1.5)), "depth that does not contain only whole numbers"),
        (lambda: deepnets.draw("003-hierarchy/tree", train().assign(value=np.inf)), "tree cannot be drawn; maybe"),
    ],
)
def test_a_wrong_name_or_table_is_refused_with_what_is_allowed(call, message):
    with pytest.raises(UserError, match=message):
        call()


def printed_by(notebook):
    """Return what the cells of a notebook show of the workflow's results: those before its own runs."""
    names, printed = {}, io.StringIO()
    with redirect_stdout(printed):
        for cell in (ROOT / f"notebooks/{notebook}.py").read_text().split("# %%"):
            if "deepnets.train(" in cell:
                break
            # A cell of text has only comments.
            body = ast.parse("\n" + cell.partition("\n")[2]).body
            last = ast.Expression(body.pop().value if body and isinstance(body[-1], ast.Expr) else ast.Constant(""))
            exec(compile(ast.Module(body, []), notebook, "exec"), names)
            shown = eval(compile(ast.fix_missing_locations(last), notebook, "eval"), names)
            print(shown.to_string() if hasattr(shown, "to_string") else shown)
    return printed.getvalue()


OF_000 = ("000-classifier", "classifier", "classifier")
OF_003 = ("003-hierarchy", "hierarchy", "hierarchy", "regression")


@pytest.mark.parametrize(
    ("name", "ledger"), [("first_look", OF_000), ("change_one_thing", OF_003), ("your_own_claim", OF_003)]
)
def test_every_number_that_a_notebook_prints_of_the_results_is_one_of_the_ledger(name, ledger, monkeypatch):
    # Tables that are thinned for claims lack what figures draw.
    monkeypatch.setattr(deepnets, "draw", lambda *_: "")
    monkeypatch.setattr(plt, "show", plt.close)
    write_ledger(*ledger)
    rows = deepnets.verdicts(ledger[0])
    words = map(str, [*rows.to_numpy().ravel(), *rows["verdict"].value_counts()])
    known = {*map(float, NUMBER.findall(" ".join(words)))}
    text = printed_by(name)
    found = [*map(float, NUMBER.findall(text))]
    assert len(found) > 4 and known.issuperset(found), text
