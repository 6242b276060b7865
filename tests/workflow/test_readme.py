"""The README tells the truth about commands and figures."""

import re

import pytest
from conftest import ROOT

from workflow.deepnets.claims._classifier_numbers import ACCURACIES
from workflow.deepnets.code.modules import Package

README = (ROOT / "README.md").read_text()


def test_the_table_of_documents_names_the_modules_that_draw_them():
    package = Package()
    documents = {module: package.constant(module, "DOCUMENT") for module in package.modules_in("figures")}
    told = {}
    for row in re.findall(r"^\| .*`results/figures/[\w-]+` .*$", README, flags=re.MULTILINE):
        (document,) = re.findall(r"`results/figures/([\w-]+)`", row)
        for name, path in re.findall(r"\[`(\w+)`\]\(([\w/.]+)\)", row):
            assert path == f"workflow/deepnets/figures/{name}.py"
            told[f"workflow.deepnets.figures.{name}"] = document
    assert told == documents


def test_the_numbers_to_look_for_are_those_of_the_document():
    (linear, _), (mean, error), (rank_2, _) = map(ACCURACIES.get, ("linear", "two_layers", "rank_2"))
    told = f"Numbers to look for: {linear:g} %, {mean:g} ± {error:g} % and {rank_2:g} % test accuracy in "
    assert told + "`000-classifier/accuracy_by_variant.pdf`." in README.splitlines()


def test_every_room_has_a_line():
    rooms = {path.parent.name for path in (ROOT / "workflow/deepnets").glob("*/__init__.py")}
    assert rooms == set(re.findall(r"\[(\w+)\]\(workflow/deepnets/\1\)", README))


def test_ci_runs_the_second_command():
    make, test = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)
    assert make.endswith("&& snakemake --cores 8")
    assert test in (ROOT / ".ci/run").read_text().splitlines()


@pytest.mark.parametrize(
    "page",
    ["README.md", "results/README.md", "workflow/deepnets/experiments/README.md", "workflow/profiles/slurm/README.md"],
)
def test_every_linked_file_exists(page):
    for target in re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text()):
        assert (ROOT / page).parent.joinpath(target).exists(), target
