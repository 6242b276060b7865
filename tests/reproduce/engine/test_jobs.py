import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from snakemake.iocontainers import InputFiles, Wildcards
from snakemake.resources import Resources
from snakemake.utils import update_config

from conftest import ROOT
from reproduce.config.plan import Plan
from reproduce.engine.jobs import Differences, Jobs
from reproduce.errors import UserError
from reproduce.records.paths import PAGES

PROFILE = yaml.safe_load((ROOT / "workflow/profiles/slurm/profile.yaml").read_text())


def wildcards(**values):
    return Wildcards(fromdict=values)


# Large runs at the size of the papers, by their first axes: the MB that each took, and the seconds on one core. Those
# of propagation and zero_init are computed from a part of their simulations or updates; of propagation, measured with
# 196 points of an image.
LARGE = [
    ("learning_time/depth=99/init=gaussian", 4295, 67),
    ("learning_time/depth=27/init=gaussian", 1229, 14),
    ("learning_time/depth=99/init=orthogonal", 881, 9),
    ("spectra/depth=100/init=gaussian", 169, 180),
    ("propagation/depth=200/init=normal/activation=relu/arch=feedforward/batch=1024", 1481, 21_700),
    ("propagation/depth=200/init=normal/activation=relu/arch=feedforward/batch=64/bias=0/block=vanilla", 973, 1822),
    ("zero_init/depth=4/init=partial_identity/bias=0.01/block=widths/width=2048", 482, 775),
]


def read_config(*files):
    config = {}
    for file in files:
        update_config(config, yaml.safe_load((ROOT / file).read_text()))
    return config


@pytest.fixture(scope="module")
def find(default_plan):
    """A function that returns the jobs of a config, with the profile's bundles, and the first run of a kind."""

    def jobs_and_run(config, kind):
        plan = Plan(config, package=default_plan.package)
        settings = SimpleNamespace(group_components={**PROFILE["group-components"]})
        path = next(path for path in plan.points if path.startswith(f"results/runs/experiment={kind}"))
        experiment, _, axes = path.removeprefix("results/runs/experiment=").removesuffix("/run.parquet").partition("/")
        return Jobs(plan, None, SimpleNamespace(group_settings=settings)), wildcards(experiment=experiment, axes=axes)

    return jobs_and_run


@pytest.mark.parametrize(("kind", "megabytes", "seconds"), LARGE)
def test_requests_suffice_for_large_runs_at_the_first_attempt_and_grow_with_each(find, kind, megabytes, seconds):
    config = read_config("config.yaml", "configs/paper_size.yaml")
    config["experiments"]["propagation"]["device"] = "cpu"
    jobs, run = find(config, kind)
    # Snakemake's two processes need 230 MB.
    assert 1 <= jobs.megabytes_of_run(run, 1) / (megabytes + 230) <= 3
    # Loading Python from a slow file system may take five minutes.
    assert jobs.minutes_of_run(run, 1) >= round((1 if jobs.bundle_of_run(run) else 5) + seconds / 60)
    for attempt in (2, 3):
        assert jobs.megabytes_of_run(run, attempt) == attempt * jobs.megabytes_of_run(run, 1)
        assert jobs.minutes_of_run(run, attempt) == attempt * jobs.minutes_of_run(run, 1)


@pytest.mark.parametrize(
    ("kind", "device", "bundle", "first"),
    [
        ("regression", "cpu", "points-regression", False),
        ("spectra/depth=100/init=gaussian", "cpu", "points-spectra", False),
        ("zero_init/depth=4/init=partial_identity/bias=0.01/block=widths/width=256", "cpu", "points-zero_init", False),
        ("zero_init/depth=4/init=partial_identity/bias=0.01/block=widths/width=2048", "cpu", None, True),
        ("propagation/depth=50/", "cpu", "points-propagation", False),
        ("propagation/depth=50/", "cuda", None, False),
    ],
)
def test_points_share_a_bundle_unless_they_take_a_minute_or_need_a_gpu(find, config, kind, device, bundle, first):
    config["experiments"]["propagation"]["device"] = device
    jobs, run = find(config, kind)
    assert (jobs.bundle_of_run(run), jobs.priority(run)) == (bundle, first)
    assert jobs._workflow.group_settings.group_components.get(bundle) == (10 if bundle else None)
    # A bundle requests the sum of these minutes.
    assert jobs.minutes_of_run(run, 1) - round(jobs._request(run).minutes) == (1 if bundle else 5)
    assert [jobs.minutes(wildcards(**{name: "e"}), 2) for name in ("document", "experiment")] == [2, 10]


def test_a_job_requests_memory_for_the_tables_that_it_reads(default_jobs, tmp_path):
    (tmp_path / "table.parquet").write_bytes(bytes(40_000_000))
    for paths, megabytes in ((["table.parquet"], 3800), (["table.parquet", "missing.parquet"], 3800), ([], 1000)):
        read = InputFiles([str(tmp_path / path) for path in paths])
        read._set_name("tables", 0, end=len(paths))
        assert default_jobs.megabytes(wildcards(), read, 1) == megabytes
        assert default_jobs.megabytes(wildcards(), read, 3) == 3 * megabytes
    assert default_jobs.megabytes(wildcards(), InputFiles([]), 2) == 2000


@pytest.mark.parametrize(
    ("named", "device", "partition"),
    [
        # Snakemake itself passes on the site's `slurm_partition`.
        ((), "cuda", "as for all jobs"),
        (("slurm_partition=short", "gpu_partition=fast"), "cuda", "fast"),
        (("slurm_partition=short", "gpu_partition=fast"), "cpu", "short"),
        (("slurm_partition='short' if attempt == 1 else 'long'", "gpu_partition=fast"), "cpu", "long"),
        (("gpu_partition=fast",), "cpu", None),
    ],
)
def test_a_run_on_a_gpu_goes_into_the_partition_for_it(find, config, named, device, partition):
    config["experiments"]["propagation"]["device"] = device
    jobs, run = find(config, "propagation")
    given = Resources.parse([*named], allow_expressions=True, defaults="full") if named else None
    jobs._workflow.resource_settings, jobs._workflow.async_run = SimpleNamespace(default_resources=given), None
    found = jobs.partition_of_run().get("slurm_partition", lambda *_: "as for all jobs")
    assert found(run, InputFiles([]), 2, 1) == partition


@pytest.fixture
def default_jobs(default_plan):
    """The jobs of the default config. The workflow has two targets and other rules."""
    rules = [
        SimpleNamespace(
            name=name,
            has_wildcards=lambda name=name: name == "train",
            is_producer=lambda path: path.endswith((".tsv", ".parquet")),
            params={"command": ""},
        )
        for name in ("job", "train", "000-classifier", "archive")
    ]
    return Jobs(default_plan, None, SimpleNamespace(rules=rules))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("000-clasifier", r"^'000-clasifier' is .* \(did you mean '000-classifier'\?\); targets: "),
        ("page", r"^'page' is neither a target nor a result; targets: 000-classifier, arch"),
        ("results/tables/regresion.parquet", r"plans no such file \(did you mean 'results/tables/regression\.parquet'"),
        ("results/runs/experiment=regression/seed=0/run.parquet", "the config has no such point"),
        ("elsewhere/any", "^elsewhere/any: the config plans no such file"),
    ],
)
def test_the_error_for_an_unknown_name_suggests_one_and_lists_all(default_jobs, name, message):
    with pytest.raises(UserError, match=message):
        default_jobs.find_named(name)


def test_a_name_on_the_command_line_is_a_result_or_a_folder_of_results(default_jobs, default_plan):
    tables = [path for path in default_plan.results if path.startswith("results/tables/")]
    assert default_jobs.find_named("results/tables/") == default_jobs.find_named(str(Path("results/tables").absolute()))
    assert default_jobs.find_named("results/tables") == tables
    assert default_jobs.find_named(str(Path(tables[0]).absolute())) == [tables[0]]
    assert default_jobs.find_named("results") == list(default_plan.results)
    # A benchmark is no result, but a rule makes it.
    assert default_jobs.find_named("results/benchmarks/page.tsv") == ["results/benchmarks/page.tsv"]


def test_each_document_has_one_page_with_only_its_results(default_jobs, default_plan):
    assert default_jobs.pages.keys() == {"report", *default_plan.documents}
    page = default_jobs.pages["000-classifier"]
    assert page == "results/report-000-classifier.html"
    assert page not in default_plan.results
    read = default_jobs.inputs(PAGES)(wildcards(of="-000-classifier"))
    assert {re.search(r"/(\w+-)?classifier", path)[0] for path in read} == {"/000-classifier", "/classifier"}
    drawn = [figure for document, figure in default_plan.figures if document == "000-classifier"]
    assert sum(path.endswith(".svg") for path in read) == len(drawn)
    # Without a document, it is the page of all documents.
    assert default_jobs._result(PAGES, wildcards(of="")) == default_plan.results["results/report.html"]


def test_the_reason_of_a_job_names_the_record_of_a_damaged_result_once():
    damaged = dict.fromkeys(("results/figures/d/f.pdf", "results/figures/d/f.csv"), ("damaged",))
    found = Differences({**damaged, "results/tables/t.parquet": ("code", "inputs")})
    assert str(found) == "damaged (results/records/figures/d/f.json), code, inputs"
