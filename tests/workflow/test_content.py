"""Content decides what is stale: time stamps and Snakemake's metadata, missing or wrong, hide nothing."""

import os
import re
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pypdf
import pytest
from test_staleness import (
    CLASSIFIER,
    CLASSIFIER_ALL,
    CLASSIFIER_TABLE,
    LINEAR_RUN,
    NOTHING,
    STYLE,
    TINY,
    WHITENED_ALL,
    assert_audited,
    assert_stale,
    find_linear_run,
    match_paths,
    results,
    run_audit,
)

from conftest import digests
from reproduce.records.provenance import sha256_of
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


def test_a_picture_that_differs_from_its_stamp_is_made_again(copied):
    name, other = (f"results/figures/{each}" for each in ("000-classifier/accuracy_by_depth", "003-hierarchy/tree"))
    path = copied.folder / f"{name}.pdf"
    made = sha256_of(path)
    writer = pypdf.PdfWriter(clone_from=copied.folder / f"{other}.pdf")
    writer.add_metadata({"/Keywords": pypdf.PdfReader(path).metadata["/Keywords"]})
    writer.write(path)
    found = {finding.path: finding for finding in run_audit(copied)}[f"{name}.pdf"]
    assert (found.verdict, *found.reasons) == (DAMAGED, "the picture was changed after the workflow wrote it")
    assert_stale(copied, match_paths(name))
    assert copied.snakemake(f"{name}.pdf").returncode == 0
    assert sha256_of(path) == made


def test_a_remade_file_with_the_same_content_makes_nothing_else_stale(copied):
    before = digests(copied)
    copied.edit(CLASSIFIER, "np.log(sums)", "np.log(1 * sums)")
    done = copied.snakemake()
    assert done.returncode == 0, done.stderr
    # The page is made again because it shows the fingerprint of the runs' code.
    rules = set(re.findall(r"Finished jobid: \d+ \(Rule: (\w+)\)", done.stdout + done.stderr))
    assert rules == {"train", "aggregate", "page", "all"} and "100%" in done.stdout + done.stderr
    again = {name for name, digest in digests(copied).items() if before[name] != digest}
    assert again == match_paths("experiment=classifier/", "tables/classifier")(before)
    # New time stamps and new bytes of the remade files do not make anything else stale.
    assert_stale(copied, NOTHING)
    assert_audited(copied, NOTHING)
    # --forcerun makes its rules again whatever their inputs.
    figure = "results/figures/000-classifier/accuracy_by_depth.pdf"
    forced = copied.snakemake(figure, "--forcerun", "figure", "aggregate")
    assert "(Rule: figure)" in forced.stdout + forced.stderr


def test_what_no_stamp_contains_is_refused(project):
    done = project.snakemake("--dry-run", "--persistence-backend", "db")
    assert done.returncode == 1
    assert "--persistence-backend: allowed: file" in done.stdout + done.stderr
    done = project.snakemake("--dry-run", "--rerun-triggers", "mtime", "--")
    assert done.returncode == 1 and "--rerun-triggers: must contain params" in done.stdout + done.stderr
    project.edit("workflow/rules/figures.smk", '("draw", FIGURE),', '("draw", FIGURE), size=3,')
    done = project.snakemake("--dry-run")
    assert done.returncode == 1
    assert "rule figure: no stamp contains the param size; allowed: spec, code, inputs" in done.stdout + done.stderr


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


def test_other_installed_versions_are_named_and_results_stay_current(copied):
    copied.edit("workflow/deepnets/envs/constraints.txt", "PyYAML==6.0.3", "PyYAML==6.0.2")
    copied.edit("workflow/deepnets/envs/constraints.txt", "idna==3.20", "idna==3.21")
    done = copied.snakemake("--dry-run")
    assert "Other packages are installed than envs/ pin: idna 3.20 (pinned: 3.21), pyyaml" in done.stdout
    assert "were made with other versions" not in done.stdout
