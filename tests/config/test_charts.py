"""Which charts with sliders there are: found as figures are, by code that these share."""

import json
import shutil

import pytest
from conftest import ROOT
from workflow.deepnets.config.charts import charts_of

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.plan import Plan
from workflow.deepnets.errors import UserError

CHART = 'DOCUMENT = "toy"\n\n\ndef curve(regression, classifier):\n    """A curve to move."""\n'


@pytest.fixture
def charts(tmp_path):
    """Find the charts of the sources and of modules of one's own."""
    for name in ("workflow", "envs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))

    def found(experiments, **modules):
        for name, text in modules.items():
            (tmp_path / "workflow/deepnets/interactive" / f"{name}.py").write_text(text)
        return charts_of(Package(tmp_path), experiments)

    return found


def test_a_chart_has_one_file_and_reads_the_tables_that_its_arguments_name(charts):
    chart = charts(["regression", "classifier"], toy=CHART)["toy", "curve"]
    assert chart.paths == ["results/interactive/toy/curve.json"]
    assert chart.inputs == {name: f"results/tables/{name}.parquet" for name in ("regression", "classifier")}
    assert chart.entry == "workflow.deepnets.interactive.toy:curve"
    assert chart.caption == "A curve to move."
    assert json.loads(chart.spec) == {"chart": "curve", "document": "toy"}
    assert ("toy", "curve") not in charts(["classifier"])


def test_what_no_job_could_draw_is_told_of_charts_too(charts):
    with pytest.raises(UserError) as error:
        charts(["regression"], toy=CHART.replace("regression", "regresion") + "\n\nHALF, double = 0.5, list\n")
    first, second = str(error.value).splitlines()
    assert first.startswith("workflow/deepnets/interactive/toy.py: curve asks for the table 'regresion', which no")
    assert second.startswith("workflow/deepnets/interactive/toy.py: double is no function; a chart is one (def)")
    assert "what draws no chart begins with an underscore" in str(error.value)


def test_each_document_has_its_charts_and_loses_them_with_its_experiment(config):
    plan = Plan(config)
    assert {document for document, _ in plan.charts} == {
        *("000-classifier", "001-mnist-dynamics", "002-propagation", "003-hierarchy", "004-zero")
    }
    paths = [path for chart in plan.charts.values() for path in chart.paths]
    assert set(paths) == {path for path in plan.results if path.startswith("results/interactive/")}
    assert set(paths) <= set(json.loads(plan.inventory)["files"])
    result = plan.results["results/interactive/003-hierarchy/rate_scale_and_epoch.json"]
    assert result.inputs == {"hierarchy": ("results/tables/hierarchy.parquet",)}
    assert result.code.startswith(
        "workflow.deepnets.documents.hierarchy.charts.rate_scale_and_epoch:rate_scale_and_epoch@"
    )
    assert any(package.startswith("altair") for package in plan.packages[result.code])
    config["experiments"]["hierarchy"] = None
    assert "003-hierarchy" not in {document for document, _ in Plan(config).charts}
