"""Content decides what is stale: time stamps and Snakemake's metadata, missing or wrong, hide nothing."""

import os
import re
import shutil
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_interruption import Started
from test_staleness import (
    CLASSIFIER,
    CLASSIFIER_ALL,
    CLASSIFIER_TABLE,
    LINEAR_RUN,
    NOTHING,
    STYLE,
    TINY,
    WHITENED_ALL,
    append,
    assert_audited,
    assert_stale,
    find_linear_run,
    match_paths,
    results,
    run_audit,
)

from conftest import digests
from reproduce.records.digests import sha256_of
from reproduce.tools.audit import DAMAGED

pytestmark = pytest.mark.slow
# In 2001.
LONG_AGO = 10**9


def backdate(path):
    os.utime(path, (LONG_AGO, LONG_AGO))


def test_edits_of_style_and_table_are_noticed_despite_an_old_time_stamp(copied):
    path = copied.folder / "results/tables/classifier.parquet"
    table = pq.ParquetFile(path).read()
    halved = pa.array(table["value"].to_numpy() / 2)
    pq.write_table(table.set_column(table.column_names.index("value"), table.schema.field("value"), halved), path)
    copied.edit(STYLE, "font.size: 8", "font.size: 9")
    backdate(copied.folder / STYLE)
    assert_stale(copied, match_paths(*CLASSIFIER_TABLE, "^results/figures/"))


def test_results_are_judged_by_their_records_wherever_they_were_copied(copied):
    # Without Snakemake's metadata, and with other time stamps.
    shutil.rmtree(copied.folder / ".snakemake")
    for path in copied.folder.glob("results/runs/**/*"):
        backdate(path)
    assert_stale(copied, NOTHING)
    # The picture of another figure, and a flipped bit.
    name, table = "results/figures/000-classifier/accuracy_by_depth", "results/tables/regression.parquet"
    picture, path = copied.folder / f"{name}.pdf", copied.folder / table
    made = sha256_of(picture)
    shutil.copy(copied.folder / "results/figures/003-hierarchy/tree.pdf", picture)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    damaged = {finding.path for finding in run_audit(copied) if finding.verdict == DAMAGED}
    assert damaged == {f"{name}.pdf", table}
    assert copied.snakemake().returncode == 0
    assert sha256_of(picture) == made
    assert_stale(copied, NOTHING)


def test_a_file_beside_the_code_counts_for_the_runs_that_open_it(copied):
    folder = "workflow/deepnets/experiments/classifier"
    copied.edit(f"{folder}/run.py", "np.log(sums)", "factor() * np.log(sums)")
    append(
        f"{folder}/run.py",
        "\n\ndef factor():\n    import pandas as pd\n    from pathlib import Path\n\n"
        "    return float(pd.read_csv(Path(__file__).with_name('curve.csv'))['factor'][0])\n",
    )(copied)
    curve = copied.folder / folder / "curve.csv"
    curve.write_text("factor\n1.0\n")
    done = copied.snakemake("--until", "train")
    assert done.returncode == 0, done.stdout + done.stderr
    # Here, not in this process, whose repository is another one.
    assert_stale(copied, NOTHING)
    curve.write_text("factor\n2.0\n")
    assert_stale(copied, CLASSIFIER_ALL)
    run = find_linear_run(copied).relative_to(copied.folder)
    done = copied.run("python", "-m", "reproduce.tools.why", run, "--configfile", TINY)
    assert f"the content of {folder}/curve.csv changed" in done.stdout


def test_after_an_edit_during_a_run_the_next_start_makes_again_what_ran_before_it(smallest_project):
    project, started = smallest_project, Started(smallest_project)
    while not (before := list(project.folder.glob("results/runs/**/run.parquet"))):
        assert started.is_running(), started.words()
        time.sleep(0.05)
    project.edit_function("workflow/deepnets/experiments/mnist_dynamics", "run")
    words = started.finish()
    assert started.process.returncode == 0, words
    stale = {finding.path for finding in run_audit(project) if "code" in finding.reasons}
    assert {path.relative_to(project.folder).as_posix() for path in before} <= stale
    assert match_paths("^results/runs/")(stale) == stale
    assert project.snakemake().returncode == 0
    assert_stale(project, NOTHING)
    assert_audited(project, NOTHING)


def test_a_remade_file_with_the_same_content_makes_nothing_else_stale(copied):
    before = digests(copied)
    copied.edit(CLASSIFIER, "np.log(sums)", "np.log(1 * sums)")
    done = copied.snakemake()
    assert done.returncode == 0, done.stderr
    rules = set(re.findall(r"Finished jobid: \d+ \(Rule: (\w+)\)", done.stdout + done.stderr))
    assert rules == {"train", "all"} and "100%" in done.stdout + done.stderr
    assert digests(copied) == before
    # New time stamps of the remade files do not make anything else stale.
    assert_stale(copied, NOTHING)
    assert_audited(copied, NOTHING)
    # --forcerun makes its rules again whatever their inputs.
    figure = "results/figures/000-classifier/accuracy_by_depth.pdf"
    forced = copied.snakemake(figure, "--forcerun", "figure", "aggregate")
    assert "(Rule: figure)" in forced.stdout + forced.stderr


def test_options_that_hide_edits_are_refused(project):
    done = project.snakemake("--dry-run", "--persistence-backend", "db")
    assert done.returncode == 1
    assert "--persistence-backend: allowed: file" in done.stdout + done.stderr
    done = project.snakemake("--dry-run", "--rerun-triggers", "mtime", "--")
    assert done.returncode == 1 and "--rerun-triggers: must contain params" in done.stdout + done.stderr


def test_a_missing_picture_does_not_hide_that_the_other_is_stale(copied):
    png, pdf = (f"results/figures/000-classifier/accuracy_by_depth.{suffix}" for suffix in ("png", "pdf"))
    (copied.folder / png).unlink()
    copied.edit(STYLE, "font.size: 8", "font.size: 9")
    assert "Nothing to be done" not in copied.snakemake("--dry-run", pdf).stdout


def test_new_runs_make_their_table_stale_and_runs_of_other_code_are_stale_whatever_the_time_stamps(copied, finished):
    # Make only the table, because drawing from it would take minutes.
    path, table = find_linear_run(copied), "results/tables/classifier.parquet"
    copied.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    done = copied.snakemake("--until", "train")
    assert done.returncode == 0, done.stderr
    for run in copied.folder.glob("results/runs/**/run.parquet"):
        backdate(run)
    assert_stale(copied, match_paths(*CLASSIFIER_TABLE))
    # The recipe in docs for a clock that was set back.
    copied.run("find", "results", "workflow", "-type", "f", "-exec", "touch", "{}", "+")
    assert_stale(copied, match_paths(*CLASSIFIER_TABLE))
    assert copied.snakemake(table).returncode == 0
    made = sha256_of(path)
    # Copy a run of the old code, once with its old time stamp and once with a new one.
    for copy in (shutil.copy2, shutil.copy):
        copy(find_linear_run(finished), path)
        assert_stale(copied, match_paths(LINEAR_RUN, *CLASSIFIER_TABLE))
    assert copied.snakemake(table).returncode == 0
    assert sha256_of(path) == made
    assert_stale(copied, NOTHING, table)


def test_no_option_of_snakemake_makes_stale_files_current(copied):
    copied.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    for options in (["--touch"], ["--cleanup-metadata", *sorted(CLASSIFIER_ALL(results(copied)))]):
        done = copied.snakemake(*options)
        assert done.returncode == 0, done.stderr
        assert_stale(copied, CLASSIFIER_ALL)


def test_a_deleted_data_set_makes_runs_stale_only_if_its_settings_change(copied):
    mnist, whitened = (copied.folder / f"results/data/{name}.npz" for name in ("mnist", "whitened"))
    whitened.unlink()
    content = mnist.read_bytes()
    mnist.unlink()
    assert "Nothing to be done" in copied.snakemake("--dry-run").stdout
    mnist.write_bytes(content)
    copied.edit(TINY, "components: 10", "components: 5")
    assert_stale(copied, match_paths("whitened", *WHITENED_ALL))
