"""The README tells the truth about commands and figures."""

import csv
import re
from collections import Counter

import pytest
from conftest import ROOT
from PIL import Image
from screenshot import PICTURE, sources

from workflow.deepnets.claims.criteria import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED, WITH_REMARK
from workflow.deepnets.code.modules import Package, read_pins
from workflow.deepnets.documents.classifier.printed import ACCURACIES
from workflow.deepnets.documents.zero_init.printed import TEST_COUNT

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


def test_the_numbers_to_look_for_are_those_of_the_documents():
    (linear, _), (mean, error), (rank_2, _) = map(ACCURACIES.get, ("linear", "two_layers", "rank_2"))
    told = f"{linear:g} %, {mean:g} ± {error:g} %, {rank_2:g} %"
    assert f"| 000: test accuracy with one layer, two layers, and rank 2 | {told} | {told} |" in README.splitlines()
    assert f"| 004: test images classified rightly after one epoch | {TEST_COUNT} of 10,000 |" in README


def test_the_verdicts_to_look_for_are_those_recorded():
    with (ROOT / "tests/verdicts.csv").open(encoding="utf-8", newline="") as file:
        counts = Counter(row["verdict"] for row in csv.DictReader(file))
    told = (
        f"Of all {counts.total()} claims, {counts[REPRODUCED]} are reproduced, {counts[WITH_REMARK]} are reproduced "
        f"with a remark, {counts[NOT_REPRODUCED]} are not reproduced, and {counts[NOT_TESTABLE]} cannot be tested"
    )
    assert told in README


def test_the_build_without_a_gpu_is_of_the_pinned_version():
    (version,) = re.findall(r"`torch==([^`]+)`", README)
    assert version == read_pins(ROOT / "envs/requirements.txt")["torch"]
    assert f"`{version}+cpu`" in README


def test_the_picture_of_the_page_is_of_today():
    with Image.open(PICTURE) as picture:
        assert picture.info["sources"] == sources(), "take it again: snakemake --cores 8 && python tests/screenshot.py"


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
    for target in re.findall(r"\]\((?!https:)([^)]+)\)", (ROOT / page).read_text()):
        assert (ROOT / page).parent.joinpath(target).exists(), target
