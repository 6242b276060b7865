"""Adding a folder adds a document and deleting the folder deletes it. No other file needs an edit for it."""

import json
import re
import shutil

import pytest

from reproduce.code.modules import Package
from reproduce.config.documents import documents_of
from reproduce.config.plan import Plan
from reproduce.records.paths import CLAIM_LIST, PAGE
from small_package import copied_sources

DOCUMENTS = "deepnets/documents"
TITLE = "A toy about weights"
TOY = {
    "__init__.py": f'''\
"""A toy document."""

ID = "toy"
TITLE = "{TITLE}"
SOURCE = "a test"
ABOUT = "Weights can be estimated from noisy samples."
''',
    "figures.py": '''\
"""The figure of the toy."""

from matplotlib.figure import Figure

from reproduce.figures.sheet import Sheet
from reproduce.tables.rows import rows_of
from reproduce.tables.selection import Selection
from reproduce.tables.table import Table


def weights(regression: Table) -> Figure:
    """Estimated weights against true weights."""
    sheet = Sheet()
    runs = sheet.take(Selection("regression").shown(regression))
    true, estimated = (rows_of(runs, metric)["value"] for metric in ("true_weight", "estimated_weight"))
    sheet.panel(figsize=(3.4, 2.5)).plot(true, estimated, "o")
    return sheet.finish()
''',
    "charts.py": '''\
"""The chart of the toy."""

import altair as alt

from reproduce.charts.charts import style_chart, rounded
from reproduce.tables.rows import rows_of
from reproduce.tables.table import Table


def weights(regression: Table) -> alt.TopLevelMixin:
    """Estimated weights on a line."""
    values = [{"weight": weight} for weight in rounded(rows_of(regression.frame, "estimated_weight")["value"])]
    ticks = alt.Chart(alt.InlineData(values=values)).mark_tick().encode(x="weight:Q")
    return style_chart(ticks, "Weights", "Estimated weights on a line.", [])
''',
    "claims.md": """\
# A toy about weights: statements

## Section 1
- figure: weights

### weights_are_bounded (bound)
No weight is above 10.
- quantity: weight
- because: It is the bound of the draw.
""",
    "claims.py": '''\
"""What decides the statement of the toy."""

from reproduce.claims.criteria import Every
from reproduce.claims.measures import extreme
from reproduce.claims.entries import Decisions
from reproduce.tables.selection import Selection

TABLES = ("regression",)


def decisions() -> Decisions:
    """Return the measure and criterion of the statement."""
    runs = Selection("regression")
    return Decisions({"weights_are_bounded": (extreme(runs, "true_weight", pick="max"), Every(greatest=10))})
''',
}
FIGURES = [f"results/figures/toy/weights.{suffix}" for suffix in ("pdf", "png", "svg", "csv")]
MADE = {"results/claims/toy.parquet", "results/interactive/toy/weights.json", *FIGURES}
# These two list all documents.
LISTS = {CLAIM_LIST, PAGE}


def add_toy(folder):
    for name, text in TOY.items():
        path = folder / DOCUMENTS / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def results_of(config, folder):
    """Return all results that a config asks for by path, from the sources in a folder."""
    return dict(Plan(config, package=Package(folder)).results)


def select_results(document, paths):
    # An experiment may have the document's name: its table and runs stay.
    return {path for path in paths if re.match(rf"results/(claims|figures|interactive)/{document}[/.]", path)}


def changed_paths(before, after):
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A copy of the sources, in which the plan also keeps its fingerprints."""
    monkeypatch.chdir(tmp_path)
    return copied_sources(tmp_path)


def test_adding_or_deleting_a_folder_adds_or_deletes_its_document(config, sources):
    # These experiments have jobs of every kind.
    config["only"] = ["mnist_dynamics", "matrix_completion", "regression"]
    before, documents = results_of(config, sources), documents_of(Package(sources)).values()
    add_toy(sources)
    with_toy = results_of(config, sources)
    assert changed_paths(before, with_toy) == MADE | LISTS
    page = json.loads(with_toy[PAGE].spec)
    assert TITLE in [document["title"] for document in page["documents"]]
    assert ["toy", "weights"] in [[figure["document"], figure["name"]] for figure in page["figures"]]
    assert "toy" in json.loads(with_toy[CLAIM_LIST].spec)["documents"]
    # After all other documents are deleted, runs, tables and the toy remain.
    for document in documents:
        shutil.rmtree(sources / DOCUMENTS / document.room)
    gone = set().union(*(select_results(document.id, before) for document in documents))
    only_toy = results_of(config, sources)
    assert changed_paths(with_toy, only_toy) == gone | LISTS
    assert only_toy.keys() == with_toy.keys() - gone


@pytest.mark.nightly
def test_each_document_can_be_deleted_without_the_others(config, sources):
    before = results_of(config, sources)
    for document in documents_of(Package(sources)).values():
        folder, elsewhere = sources / DOCUMENTS / document.room, sources / "elsewhere"
        folder.rename(elsewhere)
        after = results_of(config, sources)
        elsewhere.rename(folder)
        gone = before.keys() - after.keys()
        assert gone == select_results(document.id, before)
        assert changed_paths(before, after) == gone | LISTS
        assert document.title not in [each["title"] for each in json.loads(after[PAGE].spec)["documents"]]
