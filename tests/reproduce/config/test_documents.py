import pytest

from reproduce.code.modules import Package
from reproduce.config.documents import documents_of, drawings_of, ledgers_of
from reproduce.errors import UserError

EXPERIMENTS = ("classifier", "regression")
ALLOWED = "allowed: classifier, regression; a function that draws no figure has a name that begins with an underscore"
NO_FUNCTION = "is no function; a figure must be one (def); other names begin with an underscore or are in capitals"
INIT = '"""A toy."""\n\nID = "toy"\nTITLE = "A toy"\nSOURCE = "a test"\nABOUT = "It is small."\n'
WORK = {**dict.fromkeys(("title", "kind", "year", "notes"), "A work"), "url": "", "authors": ("A. Author",)}
FIGURE = 'def curve(regression):\n    """A curve."""\n'
CHART = 'def curve(regression, classifier):\n    """A curve to move."""\n'
DOCUMENTS = "deepnets/documents"


def with_work(**changes):
    """Return the text of a title, and of a list of one work."""
    return f"'A toy'\nWORKS = ({WORK | changes},)"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes documents ("ROOM/figures/NAME.py" → text) and returns a package with two experiments."""
    # Messages contain paths relative to the working folder.
    monkeypatch.chdir(tmp_path)
    for experiment in EXPERIMENTS:
        (tmp_path / "deepnets/experiments" / experiment).mkdir(parents=True)
        (tmp_path / "deepnets/experiments" / experiment / "__init__.py").touch()

    def write(files):
        for name, text in files.items():
            path = tmp_path / DOCUMENTS / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Package(tmp_path)

    return write


def error_of(function, *arguments):
    with pytest.raises(UserError) as error:
        function(*arguments)
    return str(error.value)


def test_a_document_is_described_by_the_constants_of_its_folder(written):
    works = f'WORKS = ({WORK},)\nEQUATION = r"a \\\\to b"\n'
    package = written({"late/__init__.py": INIT.replace('"toy"', '"0-early"') + works, "toy/__init__.py": INIT})
    early, toy = documents_of(package).values()
    assert (early.id, early.room) == ("0-early", "late")
    assert (early.words["works"], early.equation) == ((WORK,), r"a \\to b")
    assert toy.words == {
        **{"id": "toy", "title": "A toy", "source": "a test", "about": "It is small."},
        **dict.fromkeys(("finding", "equation", "meaning", "opening", "aim", "answer", "left_out"), ""),
        **dict.fromkeys(("answers", "glossary", "summary", "differences", "works"), ()),
    }


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"toy"', "str(3)", "/__init__.py:3: ID is not a literal; write its value out"),
        ('TITLE = "A toy"\n', "", "/__init__.py: TITLE: is missing; write it there"),
        ('"A toy"', "3", "/__init__.py: TITLE: 3: Input should be a valid string"),
        ('"A toy"', "'A toy'\nWORKS = 'one'", "/__init__.py: WORKS: 'one': Input should be a valid tuple"),
        ('"A toy"', with_work(note=""), "/__init__.py: WORKS[0].note: is not a known key (did you mean"),
        (
            '"A toy"',
            with_work(url="javascript:alert(1)"),
            "/__init__.py: WORKS[0].url: 'javascript:alert(1)': String sh",
        ),
        ('"A toy"', with_work(authors=()), "/__init__.py: WORKS[0].authors: (): should contain 1 or more values"),
        (
            '"A toy"',
            "'A toy'\nWORRKS = ()",
            "/__init__.py: WORRKS: is not a known key (did you mean 'WORKS'?); allowed",
        ),
        ('"toy"', '"My toy"', "/__init__.py: ID: 'My toy': String should match pattern '^[a-z0-9-]+$'"),
        ('"toy"', '"other"', ": ID 'other' is that of other too; take another"),
    ],
)
def test_a_folder_that_is_no_document_is_reported(written, old, new, fault):
    other = INIT.replace('"toy"', '"other"')
    package = written({"other/__init__.py": other, "toy/__init__.py": INIT.replace(old, new, 1)})
    assert error_of(documents_of, package).startswith(f"{DOCUMENTS}/toy{fault}")


def test_claims_may_describe_a_document_that_has_its_name_from_its_folder(written):
    words = (
        "- source: a test\n- about: It is\n  small.\n- number: loss, loss/b as {} %; the loss\n- difference: None.\n"
    )
    text = f"# A toy\n{words}- work: A. B, C: On toys (article, 2026), https://a.b; read\n- work: D: E (generic), ; f\n"
    document = documents_of(written({"a_toy/claims.py": "", "a_toy/claims.md": text}))["a-toy"]
    assert (document.title, document.source, document.about) == ("A toy", "a test", "It is small.")
    assert (document.numbers, document.differences) == ((("the loss", ("loss", "loss/b"), "{} %"),), ("None.",))
    toys = {"title": "On toys", "kind": "article", "authors": ("A. B", "C"), "year": "2026", "url": "https://a.b"}
    assert [work.model_dump() for work in document.works] == [
        toys | {"notes": "read"},
        {"title": "E", "kind": "generic", "authors": ("D",), "year": "", "url": "", "notes": "f"},
    ]
    path = f"{DOCUMENTS}/a_toy/claims.md"
    package = written({"a_toy/claims.py": "", "a_toy/claims.md": text.replace("- source: a test\n", "")})
    assert error_of(documents_of, package) == f"{path}: SOURCE: is missing; write it there"
    package = written({"a_toy/claims.py": "", "a_toy/claims.md": text.replace("(article, 2026)", "2026")})
    assert "`- work: Authors: Title (kind, year), URL; notes`" in error_of(documents_of, package)


def test_figures_are_exactly_the_public_functions(written):
    helper = "\n\ndef _helper(values):\n    return values\n\n\nSTEPS, _half = 3, 0.5\n"
    package = written({"toy/__init__.py": INIT, "toy/figures/toy.py": FIGURE + helper, "toy/figures/_own.py": CHART})
    (figure,) = drawings_of("figure", package, EXPERIMENTS).values()
    assert (figure.document, figure.name, figure.caption) == ("toy", "curve", "A curve.")
    assert figure.entry == "deepnets.documents.toy.figures.toy:curve"
    assert figure.paths == [f"results/figures/toy/curve.{suffix}" for suffix in ("pdf", "png", "svg", "csv")]
    assert figure.inputs["regression"] == ("results/tables/regression.parquet",)
    assert figure.spec == {"document": "toy", "figure": "curve"}
    # A figure of a table that the config dropped is no fault.
    assert drawings_of("figure", package, ["classifier"]) == {}


def test_a_chart_has_one_file_and_reads_the_tables_of_its_arguments(written):
    package = written({"toy/__init__.py": INIT, "toy/charts/toy.py": CHART})
    (chart,) = drawings_of("chart", package, EXPERIMENTS).values()
    assert chart.paths == ["results/interactive/toy/curve.json"]
    assert chart.inputs == {name: (f"results/tables/{name}.parquet",) for name in ("regression", "classifier")}
    assert chart.caption == "A curve to move."
    assert chart.spec == {"chart": "curve", "document": "toy"}
    assert drawings_of("chart", package, ["classifier"]) == drawings_of("figure", package, EXPERIMENTS) == {}


@pytest.mark.parametrize("room", ["figures", "charts"])
def test_a_drawing_of_an_unknown_table_is_reported_even_if_the_config_does_not_need_it(written, room):
    package = written({"toy/__init__.py": INIT, f"toy/{room}/toy.py": FIGURE.replace("regression", "regresion")})
    line = error_of(drawings_of, room[:-1], package, ["classifier"])
    assert line.startswith(f"{DOCUMENTS}/toy/{room}/toy.py: curve is a {room[:-1]} of tables (or call it _curve): ")
    assert line.endswith("'regresion' is no experiment (did you mean 'regression'?); allowed: classifier, regression")


def test_two_figures_with_the_same_name_in_a_document_are_reported(written):
    package = written({"toy/__init__.py": INIT, "toy/figures/one.py": FIGURE, "toy/figures/two.py": FIGURE})
    message = f"{DOCUMENTS}/toy/figures/two.py: toy has two figures curve; give one of them another name"
    assert error_of(drawings_of, "figure", package, EXPERIMENTS) == message


@pytest.fixture
def ledger(written):
    """A function that returns the tables of a toy document's ledger, or the error."""

    def ledger(tables='("regression",)', experiments=EXPERIMENTS):
        package = written({"toy/__init__.py": INIT, "toy/claims.py": f"TABLES = {tables}\n"})
        try:
            return {name: job.tables for name, job in ledgers_of(package, experiments).items()}
        except UserError as error:
            return str(error)

    return ledger


def test_a_ledger_is_judged_by_its_tables_that_exist(ledger):
    both = '("regression", "classifier")'
    assert ledger(both) == {"toy": ("regression", "classifier")}
    assert ledger(both, ["regression"]) == {"toy": ("regression",)}
    assert ledger(experiments=["classifier"]) == {}
    assert "claims.py: TABLES: 'regresion' is no experiment (did you mean" in ledger('("regresion",)')


def test_the_charts_of_the_default_config(config, default_plan, planned):
    paths = [path for chart in default_plan.charts.values() for path in chart.paths]
    assert paths
    assert set(paths) == {path for path in default_plan.results if path.startswith("results/interactive/")}
    config["experiments"]["hierarchy"] = None
    assert "003-hierarchy" not in {document for document, _ in planned(config).charts}
