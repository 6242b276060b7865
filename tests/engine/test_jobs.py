"""What the rules get for the points of any experiment, also of one that no profile names."""

from types import SimpleNamespace

import pytest
import yaml
from conftest import ROOT
from snakemake.iocontainers import InputFiles, OutputFiles, Wildcards

from workflow.deepnets.config.plan import Result
from workflow.deepnets.engine.jobs import Jobs
from workflow.deepnets.records.paths import RUN

PROFILE = yaml.safe_load((ROOT / "workflow/profiles/slurm/profile.yaml").read_text())


@pytest.fixture
def jobs():
    """The jobs of two points of two experiments: the second needs a GPU if its seed is 1."""

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
        ("another", 0, "another", 10),
        ("another", 1, None, None),
        ("zero_init", 0, "zero_init", 1),
        ("zero_init", 1, None, 1),
    ],
)
def test_points_share_bundles_unless_they_take_long_or_need_a_gpu(jobs, experiment, seed, bundle, size):
    assert jobs.bundle_of_run(wildcards(experiment=experiment, axes=f"seed={seed}")) == bundle
    assert jobs._workflow.group_settings.group_components.get(experiment) == size


def test_drawings_come_in_bundles_of_their_document_and_without_the_profile_in_none(jobs):
    drawing = wildcards(document="000-classifier", figure="data")
    assert jobs.bundle_of_drawing(drawing) == "000-classifier"
    sizes = jobs._workflow.group_settings.group_components
    assert sizes["000-classifier"] == 5
    sizes.clear()
    assert jobs.bundle_of_drawing(drawing) is None


def test_named_files_are_options_of_the_program(jobs):
    files = jobs.params("train", RUN)["files"]
    read = InputFiles(["a b.npz", "style", "unnamed"])
    read._set_name("data", 0, end=1)
    read._set_name("style", 1)
    made = OutputFiles(["run.parquet"])
    assert files(wildcards(), read, made) == "--data 'a b.npz' --style style --output run.parquet"
    made._set_name("parquet", 0)
    assert files(wildcards(), InputFiles(), made) == "--parquet run.parquet"


def test_a_rule_s_inputs_are_those_of_its_result(jobs):
    point = wildcards(experiment="another", axes="seed=0")
    assert jobs.inputs(RUN)(point) == jobs.inputs(RUN, "mnist")(point) == ["results/data/mnist.npz"]
    assert jobs.inputs(RUN, "whitened")(point) == []
