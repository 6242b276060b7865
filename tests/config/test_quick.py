"""configs/quick.yaml has some runs of the default config, and all its figures, charts and ledgers."""

import json
from pathlib import Path

import pytest

from conftest import ROOT
from deepnets.config.files import read

LAYERS = ("width", "size", "hidden")


@pytest.fixture(scope="module")
def quick(default_plan):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        plan = type(default_plan)(read([Path("configs/quick.yaml")]), package=default_plan.package)
    plan.fingerprints = default_plan.fingerprints
    return plan


def test_every_run_and_data_set_is_in_the_default_config(quick, default_plan):
    made = [path for path in quick.results if path.startswith(("results/runs/", "results/data/"))]
    assert len(made) > len(quick.points) > 0
    assert {path: default_plan.results.get(path) for path in made} == {path: quick.results[path] for path in made}


def test_quick_has_less_than_a_third_of_the_runs_and_no_wide_net(quick, default_plan):
    assert len(quick.points) < len(default_plan.points) / 3
    specs = [json.loads(point.spec) for point in quick.points.values()]
    widths = [spec[name] for spec in specs for name in LAYERS if name in spec]
    assert max(widths) == 512


def test_every_document_figure_chart_and_claim_is_planned(quick, default_plan):
    assert quick.experiments == default_plan.experiments
    assert quick.figures == default_plan.figures
    assert quick.charts == default_plan.charts
    assert quick.ledgers == default_plan.ledgers
