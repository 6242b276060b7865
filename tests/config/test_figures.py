"""Which figures there are, and what is told of one that no job could draw."""

import shutil

import pytest
from conftest import ROOT
from workflow.deepnets.config.figures import figures_of

from workflow.deepnets.code.modules import Package
from workflow.deepnets.errors import UserError

EXPERIMENTS = sorted(path.stem for path in (ROOT / "workflow/deepnets/experiments").glob("[!_]*.py"))
ALLOWED = f"allowed: {', '.join(EXPERIMENTS)}; what draws no figure begins with an underscore"
NO_FUNCTION = "is no function; a figure is one (def), all else begins with an underscore or is in capitals"
FIGURE = 'DOCUMENT = "toy"\n\n\ndef curve(regression):\n    """A curve."""\n'


@pytest.fixture
def figures(tmp_path):
    """Find the figures of the sources and of modules of one's own."""
    for name in ("workflow", "envs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))

    def found(experiments=EXPERIMENTS, **modules):
        for name, text in modules.items():
            (tmp_path / "workflow/deepnets/figures" / f"{name}.py").write_text(text)
        return figures_of(Package(tmp_path), experiments)

    return found


def test_a_public_function_is_a_figure_and_nothing_else_is(figures):
    helper = "\n\ndef _helper(values):\n    return values\n\n\nSTEPS, _half = 3, 0.5\n"
    before = figures()
    assert figures(toy=FIGURE + helper).keys() - before.keys() == {("toy", "curve")}


def test_a_table_that_the_config_dropped_is_no_fault(figures):
    assert ("toy", "curve") not in figures(["classifier"], toy=FIGURE)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (FIGURE.replace("regression", "regresion"), "asks for the table 'regresion', which no experiment fills"),
        (FIGURE.replace("regression", "regresion"), f"(did you mean 'regression'?); {ALLOWED}"),
        (FIGURE + "\n\ndef smooth(values):\n    pass\n", f"'values', which no experiment fills; {ALLOWED}"),
        (FIGURE.replace("regression", ""), "curve takes no table; a figure's arguments name the experiments whose"),
        (FIGURE.replace("regression", "**tables"), "curve takes no table; a figure's arguments name the experiments"),
        (FIGURE + "\n\ndouble = partial(curve, scale=2)\n", f"double {NO_FUNCTION}"),
        (FIGURE + "\n\ndouble = lambda regression: None\n", f"double {NO_FUNCTION}"),
        (FIGURE + "\n\nclass Double:\n    pass\n", f"Double {NO_FUNCTION}"),
        (FIGURE.replace("curve", "Curve"), "Curve names a file; allowed: small letters, digits and underscores"),
        (FIGURE.replace('"toy"', '"My toy"'), "DOCUMENT names a folder; allowed: small letters, digits and hyphens"),
        (FIGURE.replace('"toy"', "str(3)"), ":1: DOCUMENT is no literal; write its value out"),
    ],
)
def test_what_no_job_could_draw_is_told(figures, text, fault):
    with pytest.raises(UserError) as error:
        figures(toy=text)
    assert str(error.value).startswith("workflow/deepnets/figures/toy.py:")
    assert fault in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_all_faults_are_told_whether_or_not_the_config_asks_for_the_figures(figures):
    with pytest.raises(UserError) as error:
        figures(["classifier"], one=FIGURE.replace("regression", "x"), two=FIGURE.replace("regression", "y"))
    assert [line.partition(":")[0].rpartition("/")[2] for line in str(error.value).splitlines()] == ["one.py", "two.py"]


def test_two_figures_of_one_name_in_a_document_are_told(figures):
    with pytest.raises(UserError) as error:
        figures(toy=FIGURE, toys=FIGURE)
    assert str(error.value) == (
        "workflow/deepnets/figures/toys.py: curve is a figure of toy in workflow/deepnets/figures/toy.py too; "
        "give one of them another name"
    )
    assert {("toy", "curve"), ("toys", "curve")} <= figures(toys=FIGURE.replace('"toy"', '"toys"')).keys()
