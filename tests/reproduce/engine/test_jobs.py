"""Bundles, commands and inputs of jobs, also for an experiment that is in no profile."""

from types import SimpleNamespace

import pytest
import yaml
from snakemake.exceptions import WorkflowError
from snakemake.iocontainers import InputFiles, OutputFiles, Wildcards

from conftest import ROOT
from reproduce.config.plan import Result
from reproduce.engine.jobs import Jobs
from reproduce.records.paths import FIGURE, INTERACTIVE, PAGES, RUN, TABLE

ACCURACY = r"figures/000-classifier/accuracy_by_depth\.pdf"
PROFILE = yaml.safe_load((ROOT / "workflow/profiles/slurm/profile.yaml").read_text())


@pytest.fixture
def jobs():
    """The jobs of two experiments with two points each. The second experiment needs a GPU if its seed is 1."""

    def point(path):
        spec = '{"device":"cuda"}' if path.endswith("seed=1/run.parquet") else "{}"
        return Result(spec, "module:run@1", {"mnist": ("results/data/mnist.npz",)})

    paths = [RUN.format(experiment=name, axes=f"seed={seed}") for name in ("another", "zero_init") for seed in (0, 1)]
    plan = SimpleNamespace(results={path: point(path) for path in paths})
    settings = SimpleNamespace(group_components={**PROFILE["group-components"]})
    return Jobs(plan, None, SimpleNamespace(group_settings=settings))


def wildcards(**values):
    return Wildcards(fromdict=values)


@pytest.mark.parametrize(
    ("experiment", "seed", "bundle", "size"),
    [
        ("another", 0, "points-another", 10),
        ("another", 1, None, None),
        ("zero_init", 0, "points-zero_init", 1),
        ("zero_init", 1, None, 1),
    ],
)
def test_points_share_a_bundle_unless_they_take_long_or_need_a_gpu(jobs, experiment, seed, bundle, size):
    assert jobs.bundle_of_run(wildcards(experiment=experiment, axes=f"seed={seed}")) == bundle
    assert jobs._workflow.group_settings.group_components.get(f"points-{experiment}") == size


def test_drawings_are_bundled_by_document_and_only_with_the_profile(jobs):
    drawing = wildcards(document="000-classifier", figure="data")
    assert jobs.bundle_of_drawing(drawing) == "drawings-000-classifier"
    sizes = jobs._workflow.group_settings.group_components
    assert sizes["drawings-000-classifier"] == 5
    sizes.clear()
    assert jobs.bundle_of_drawing(drawing) is None


def test_named_files_become_options_of_the_command(jobs):
    command = jobs.command("train", RUN)
    read = InputFiles(["a b.npz", "style", "unnamed"])
    read._set_name("data", 0, end=1)
    read._set_name("style", 1)
    made = OutputFiles(["run.parquet"])
    point = wildcards(experiment="another", axes="seed=0")
    python = "env PYTHONPATH= PYTHONHASHSEED=0 python -s -P -X utf8"
    start = f"{python} workflow/launch.py train --spec '{{}}' --code module:run@1"
    assert command(point, read, made) == f"{start} --data 'a b.npz' --style style --output run.parquet"
    made._set_name("parquet", 0)
    assert command(point, InputFiles(), made) == f"{start} --parquet run.parquet"


def test_a_rule_has_the_inputs_of_its_result(jobs):
    point = wildcards(experiment="another", axes="seed=0")
    assert jobs.inputs(RUN)(point) == jobs.inputs(RUN, "mnist")(point) == ["results/data/mnist.npz"]
    assert jobs.inputs(RUN, "whitened")(point) == []


@pytest.fixture
def default_jobs(default_plan):
    """The jobs of the default config. The workflow has two targets and other rules."""
    rules = [
        SimpleNamespace(name=name, has_wildcards=lambda name=name: name == "train")
        for name in ("job", "train", "000-classifier", "archive")
    ]
    return Jobs(default_plan, None, SimpleNamespace(rules=rules))


@pytest.mark.parametrize(
    ("pattern", "values", "meant"),
    [
        (FIGURE, {"document": "000-classifier", "figure": "acuracy_by_depth"}, ACCURACY),
        (FIGURE, {"document": "000-clasifier", "figure": "accuracy_by_depth"}, ACCURACY),
        (TABLE, {"experiment": "regresion"}, r"tables/regression\.parquet"),
        (FIGURE, {"document": "sweeps", "figure": "clasifier"}, r"figures/sweeps/classifier\.pdf"),
        (PAGES, {"of": "-004-zeroo"}, r"report-004-zero\.html"),
        (RUN, {"experiment": "regression", "axes": "depth=3"}, None),
    ],
)
def test_the_error_for_a_misspelt_result_suggests_what_to_do(default_jobs, pattern, values, meant):
    message = rf"plans no such file \(did you mean 'results/{meant}'\?\)$"
    message = message if meant else r"has no such point; add it to config\.yaml first$"
    with pytest.raises(WorkflowError, match=rf"^results/.*: the config {message}"):
        default_jobs.inputs(pattern)(wildcards(**values))


def test_the_error_for_an_unknown_target_suggests_one_and_lists_all(default_jobs):
    meant = r"\(did you mean '000-classifier'\?\)"
    for target, message in (
        ("000-clasifier", rf"^'000-clasifier' is .* {meant}; targets: "),
        ("page", r"^'page' is neither a target nor a file; targets: 000-classifier, arch"),
        ("000", rf"^'000' is .* {meant}; targets: "),
        (None, r"^'job' is neither a target nor a file; targets: "),
    ):
        with pytest.raises(WorkflowError, match=message):
            default_jobs.refuse_target(wildcards(target=target) if target else wildcards())


def test_sweeps_are_drawn_on_request_from_one_table(default_jobs, default_plan):
    for pattern, name in ((FIGURE, "figure"), (INTERACTIVE, "chart")):
        values = {"document": "sweeps", name: "propagation"}
        assert default_jobs.inputs(pattern)(wildcards(**values)) == ["results/tables/propagation.parquet"]
        assert pattern.format(**values) not in default_plan.results


def test_each_document_has_one_page_with_only_its_results(default_jobs, default_plan):
    assert default_jobs.pages.keys() == {"report", *default_plan.documents}
    page = default_jobs.pages["000-classifier"]
    assert page == "results/report-000-classifier.html"
    assert page not in default_plan.results
    read = default_jobs.inputs(PAGES)(wildcards(of="-000-classifier"))
    assert {path.split("/")[2].partition(".")[0] for path in read} == {"000-classifier", "classifier"}
    drawn = [figure for document, figure in default_plan.figures if document == "000-classifier"]
    assert sum(path.endswith(".svg") for path in read) == len(drawn)
    # Without a document, it is the page of all documents.
    assert default_jobs._result(PAGES, wildcards(of="")) == default_plan.results["results/report.html"]
