import pytest

from reproduce.code.modules import Package
from reproduce.config.documents import charts_of, documents_of, figures_of, ledgers_of
from reproduce.errors import UserError

EXPERIMENTS = ("classifier", "regression")
ALLOWED = "allowed: classifier, regression; a function that draws no figure has a name that begins with an underscore"
NO_FUNCTION = "is no function; a figure must be one (def); other names begin with an underscore or are in capitals"
INIT = '"""A toy."""\n\nID = "toy"\nTITLE = "A toy"\nSOURCE = "a test"\nABOUT = "It is small."\n'
WORK = {**dict.fromkeys(("title", "kind", "year", "url", "notes"), "A work"), "authors": ("A. Author",)}
FIGURE = 'def curve(regression):\n    """A curve."""\n'
CHART = 'def curve(regression, classifier):\n    """A curve to move."""\n'
DOCUMENTS = "deepnets/documents"


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
    assert (early.works, early.equation) == ((WORK,), r"a \\to b")
    assert toy.words == {
        **{"id": "toy", "title": "A toy", "source": "a test", "about": "It is small."},
        **dict.fromkeys(("finding", "equation", "meaning", "opening", "answer"), ""),
        **dict.fromkeys(("answers", "glossary", "summary", "differences", "works"), ()),
    }


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"toy"', "str(3)", ":3: ID is not a literal; write its value out"),
        ('TITLE = "A toy"\n', "", ": TITLE missing; required: TITLE, SOURCE, ABOUT; allowed: ID, TITLE, SO"),
        ('"A toy"', "3", ": TITLE is no text"),
        ('"A toy"', "'A toy'\nWORKS = 'one'", ": WORKS is no tuple"),
        (
            '"A toy"',
            "'A toy'\nWORKS = ({'title': 'A'},)",
            ": an entry of WORKS lacks authors, kind, notes, url, year; req",
        ),
        (
            '"A toy"',
            f"'A toy'\nWORKS = ({WORK | {'note': ''}},)",
            ": an entry of WORKS has the unknown note; required",
        ),
        *(
            ('"A toy"', f"'A toy'\nWORKS = ({WORK | wrong},)", f": {named}")
            for wrong, named in (
                ({"year": 2026}, "year of an entry of WORKS is no text"),
                ({"authors": "A. Author"}, "authors of an entry of WORKS is no tuple of texts, such as"),
                ({"authors": ()}, "authors of an entry of WORKS is no tuple of texts, such as"),
            )
        ),
        (
            '"A toy"',
            "'A toy'\nWORRKS = ()",
            ": WORRKS is no constant of a document (did you mean 'WORKS'?); allowed: ID",
        ),
        ('"toy"', '"My toy"', ": ID names folders of results; allowed: small letters, digits and hyphens"),
        ('"toy"', '"other"', ": ID 'other' is that of other too; take another"),
    ],
)
def test_a_folder_that_is_no_document_is_reported(written, old, new, fault):
    other = INIT.replace('"toy"', '"other"')
    package = written({"other/__init__.py": other, "toy/__init__.py": INIT.replace(old, new, 1)})
    assert error_of(documents_of, package).startswith(f"{DOCUMENTS}/toy/__init__.py{fault}")


def test_claims_may_describe_a_document_that_has_its_name_from_its_folder(written):
    text = INIT.replace('ID = "toy"\n', "OWN = 3\n")
    package = written({"a_toy/claims.py": text})
    assert documents_of(package)["a-toy"].title == "A toy"
    package = written({"a_toy/claims.py": text.replace("TITLE", "TITEL")})
    assert error_of(documents_of, package).startswith(f"{DOCUMENTS}/a_toy/claims.py: TITLE missing")


def test_figures_are_exactly_the_public_functions(written):
    helper = "\n\ndef _helper(values):\n    return values\n\n\nSTEPS, _half = 3, 0.5\n"
    package = written({"toy/__init__.py": INIT, "toy/figures/toy.py": FIGURE + helper, "toy/figures/_own.py": CHART})
    (figure,) = figures_of(package, EXPERIMENTS).values()
    assert (figure.document, figure.name, figure.caption) == ("toy", "curve", "A curve.")
    assert figure.entry == "deepnets.documents.toy.figures.toy:curve"
    assert figure.paths == [f"results/figures/toy/curve.{suffix}" for suffix in ("pdf", "png", "svg", "csv")]
    assert figure.inputs["regression"] == ("results/tables/regression.parquet",)
    assert figure.spec == {"document": "toy", "figure": "curve"}
    # A figure of a table that the config dropped is no fault.
    assert figures_of(package, ["classifier"]) == {}


def test_a_chart_has_one_file_and_reads_the_tables_of_its_arguments(written):
    package = written({"toy/__init__.py": INIT, "toy/charts/toy.py": CHART})
    (chart,) = charts_of(package, EXPERIMENTS).values()
    assert chart.program == "interact"
    assert chart.paths == ["results/interactive/toy/curve.json"]
    assert chart.inputs == {name: (f"results/tables/{name}.parquet",) for name in ("regression", "classifier")}
    assert chart.caption == "A curve to move."
    assert chart.spec == {"chart": "curve", "document": "toy"}
    assert charts_of(package, ["classifier"]) == figures_of(package, EXPERIMENTS) == {}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (FIGURE.replace("regression", "regresion"), "takes the table 'regresion', but no experiment has this name"),
        (FIGURE.replace("regression", "regresion"), f"(did you mean 'regression'?); {ALLOWED}"),
        (FIGURE + "\n\ndef smooth(values):\n    pass\n", f"'values', but no experiment has this name; {ALLOWED}"),
        (FIGURE.replace("regression", ""), "curve takes no table; a figure's arguments name the experiments whose"),
        (FIGURE.replace("regression", "**tables"), "curve takes no table; a figure's arguments name the experiments"),
        (FIGURE + "\n\ndouble = partial(curve, scale=2)\n", f"double {NO_FUNCTION}"),
        (FIGURE + "\n\ndouble = lambda regression: None\n", f"double {NO_FUNCTION}"),
        (FIGURE + "\n\nclass Double:\n    pass\n", f"Double {NO_FUNCTION}"),
        (FIGURE.replace("curve", "Curve"), "Curve names a file; allowed: small letters, digits and underscores"),
    ],
)
def test_figures_that_no_job_could_draw_are_reported(written, text, fault):
    package = written({"toy/__init__.py": INIT, "toy/figures/toy.py": text})
    (line,) = error_of(figures_of, package, EXPERIMENTS).splitlines()
    assert line.startswith(f"{DOCUMENTS}/toy/figures/toy.py: ") and fault in line


def test_all_faults_are_reported_even_if_the_config_drops_the_charts(written):
    faulty = CHART.replace("regression", "regresion") + "\n\nHALF, double = 0.5, list\n"
    package = written({"toy/__init__.py": INIT, "toy/charts/one.py": faulty})
    first, second = error_of(charts_of, package, ["classifier"]).splitlines()
    assert first.startswith(f"{DOCUMENTS}/toy/charts/one.py: curve takes the table 'regresion', but no")
    assert first.endswith("a function that draws no chart has a name that begins with an underscore")
    assert second.startswith(f"{DOCUMENTS}/toy/charts/one.py: double is no function; a chart must be one (def)")


def test_two_figures_with_the_same_name_in_a_document_are_reported(written):
    package = written({"toy/__init__.py": INIT, "toy/figures/one.py": FIGURE, "toy/figures/two.py": FIGURE})
    one, two = (f"{DOCUMENTS}/toy/figures/{name}.py" for name in ("one", "two"))
    message = f"{two}: curve is a figure of toy in {one} too; give one of them another name"
    assert error_of(figures_of, package, EXPERIMENTS) == message


CLAIMS_MD = "# Toy\n- printed numbers: 0\n## Text\n### grows (bound)\nIt grows.\n- because: It does.\n"
CLAIMS_PY = """TABLES = ("regression",)\ndef decisions():\n    return Decisions({"grows": VALUE})\n"""
ANSWER = """ANSWERS = ({{'question': '?', 'sentence': '{}', 'runs': 'all', 'figure': '{}', 'statement': 'toy/grows',
'curve': {{'panel': '', 'series': '', 'given': '', 'x': '', 'y': '', 'limits': (0, 1), 'log': ''}},
'change': ('toy/curve', 'depth=1', 'Try it.')}},)"""
PARTS, ONE = '{"a": (m, c), "b": (m, c)}', "(m, c)"


@pytest.mark.parametrize(
    ("value", "finding", "fault"),
    [
        (PARTS, "It is {grows}.", "{grows} has several parts; quote one of them: {grows/PART}"),
        ("{a: (m, c) for a in b}", "It is {grows}.", "{grows} has several parts"),
        (ONE, "It is {grows/a}.", "{grows/a}: the claim has no parts; write {grows}"),
        (ONE, "It is {grow}.", "{grow} is no claim of the ledger (did you mean 'grows'?)"),
        (ONE, "It is so.", "FINDING quotes no claim; add one, such as {grows}"),
        (ONE, "It is {grows}.", ""),
        (PARTS, "It is {grows/a}.", ""),
    ],
)
def test_a_finding_quotes_one_number_of_a_claim(written, value, finding, fault):
    init = INIT + f"FINDING = {finding!r}\n"
    claims = {"toy/claims.md": CLAIMS_MD, "toy/claims.py": CLAIMS_PY.replace("VALUE", value)}
    package = written({"toy/__init__.py": init, **claims})
    if not fault:
        assert list(ledgers_of(package, EXPERIMENTS)) == ["toy"]
        return
    assert error_of(ledgers_of, package, EXPERIMENTS).startswith(f"{DOCUMENTS}/toy/__init__.py: {fault}")


def with_ledger(written, old="", new=""):
    claims = CLAIMS_PY.replace("VALUE", ONE).replace(old, new, 1)
    return written({"toy/__init__.py": INIT, "toy/claims.md": CLAIMS_MD, "toy/claims.py": claims})


def test_a_ledger_is_judged_by_its_tables_that_exist(written):
    package = with_ledger(written, '("regression",)', '("regression", "classifier")')
    assert ledgers_of(package, ["regression"])["toy"].tables == ("regression",)
    assert ledgers_of(package, []) == {}


@pytest.mark.parametrize(
    ("constants", "fault"),
    [
        ("", ""),
        ("NUMBERS = (('accuracy', ('grow',), '{}'),)", "{grow} is no claim of the ledger (did you mean 'grows'?)"),
        ("OPENING = 'curves'", "OPENING: no chart is called 'curves' (did you mean 'curve'?)"),
        (
            ANSWER.format("{toys/grows}", "toy/curve"),
            "{toys/grows}: no document with claims is called 'toys' (did you mean",
        ),
        (ANSWER.format("{toy/grow|power}", "toy/curve"), "{grow} is no claim of the ledger (did you mean 'grows'?)"),
        (
            ANSWER.format("{toy/grows}", "toy/curves"),
            "ANSWERS: no figure is called 'toy/curves' (did you mean 'curve'?)",
        ),
        (
            ANSWER.replace("'log'", "'lag'").format("{toy/grows}", "toy/curve"),
            "ANSWERS: the keys of a curve are given, ",
        ),
        (
            ANSWER.replace("toy/grows", "toy/grow").format("{toy/grows}", "toy/curve"),
            "ANSWERS: no claim is called 'toy/grow'",
        ),
        (
            ANSWER.replace("('toy/curve", "('toy/curves").format("{toy/grows}", "toy/curve"),
            "ANSWERS: no chart is called 'toy/curves' (did you mean 'curve'?)",
        ),
        (ANSWER.format("{toy/grows}", "toy/curve"), ""),
    ],
)
def test_constants_that_the_page_could_not_show_are_reported(written, constants, fault):
    claims = {"toy/claims.md": CLAIMS_MD, "toy/claims.py": CLAIMS_PY.replace("VALUE", ONE)}
    drawn = {"toy/figures.py": FIGURE, "toy/charts.py": CHART}
    package = written({"toy/__init__.py": INIT + constants, **claims, **drawn})
    if fault:
        assert error_of(ledgers_of, package, EXPERIMENTS).startswith(f"{DOCUMENTS}/toy/__init__.py: {fault}")
    else:
        assert list(ledgers_of(package, EXPERIMENTS)) == ["toy"]


@pytest.mark.parametrize(
    ("figure", "fault"), [("curve", ""), ("–", ""), ("curves", "no figure is called 'curves' (did")]
)
def test_a_figure_that_claims_md_names_exists(written, figure, fault):
    text = CLAIMS_MD.replace("## Text\n", f"## Text\n- figure: {figure}\n")
    claims = {"toy/claims.md": text, "toy/claims.py": CLAIMS_PY.replace("VALUE", ONE)}
    # A figure that is hidden by an underscore counts.
    package = written({"toy/__init__.py": INIT, "toy/figures.py": FIGURE.replace("curve(", "_curve("), **claims})
    if fault:
        assert error_of(ledgers_of, package, EXPERIMENTS).startswith(f"{DOCUMENTS}/toy/claims.md:3: Text: {fault}")
    else:
        assert list(ledgers_of(package, EXPERIMENTS)) == ["toy"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('("regression",)', '("regresion",)', "claims.py: TABLES names the experiments of the claims; allowed: some"),
        ('("regression",)', "()", "claims.py: TABLES names the experiments"),
        ("def decisions", "def claims", "claims.py: it needs a function `decisions`"),
        ('"grows"', '"shrinks"', "claims.md states grows, which"),
        ('"grows"', "NAME", "claims.py:3: the plan reads the keys of this dictionary; write each as text"),
    ],
)
def test_ledgers_that_no_job_could_judge_are_reported(written, old, new, fault):
    assert fault in error_of(ledgers_of, with_ledger(written, old, new), EXPERIMENTS)


def test_the_charts_of_the_default_config(config, default_plan, planned):
    paths = [path for chart in default_plan.charts.values() for path in chart.paths]
    assert paths
    assert set(paths) == {path for path in default_plan.results if path.startswith("results/interactive/")}
    config["experiments"]["hierarchy"] = None
    assert "003-hierarchy" not in {document for document, _ in planned(config).charts}
