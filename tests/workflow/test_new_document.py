"""The example of docs/adding.md: `tools.new` writes it into a fresh checkout; it works, and can be deleted."""

import re
import shutil
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from conftest import ROOT
from reproduce.code.modules import Package
from reproduce.config.documents import documents_of
from reproduce.tools.new import GUIDE, files_of

ROOMS = ("workflow/deepnets/documents", "workflow/deepnets/experiments")
NAME, IDENTIFIER = "toy_net", "toy-net"
FOLDERS = [f"{room}/{NAME}" for room in ("tests/deepnets/documents", *ROOMS)]
TOOL = ("python", "-m", "reproduce.tools.new", "document")
# From the title, a figure, its caption and a claim.
WORDS = (
    "Depth delays learning from small weights",
    'id="toy-net-losses"',
    "Training loss against updates, one colour per depth.",
    "a net with one layer learns half of its target in 30 updates",
)


@pytest.fixture
def checkout(project):
    shutil.copy(ROOT / "pyproject.toml", project.folder)
    for folder in ("tools", "notebooks"):
        shutil.copytree(ROOT / folder, project.folder / folder)
    project.configfiles = ("config.yaml",)
    return project


def results(checkout):
    return {
        str(path.relative_to(checkout.folder))
        for path in checkout.folder.glob("results/*/**/*.*")
        if path.is_file() and path.parts[len(checkout.folder.parts) + 1] not in ("logs", "benchmarks", "records")
    }


@pytest.mark.slow
def test_a_new_document_works_and_can_be_deleted(checkout):
    page, config = checkout.folder / "results/report.html", checkout.folder / "config.yaml"
    before = config.read_text()
    other = ("--config", "only=[regression]")
    assert checkout.snakemake(*other).returncode == 0
    results_before, page_before = results(checkout), page.read_text()

    wrote = checkout.run(*TOOL, NAME)
    assert wrote.returncode == 0, wrote.stderr
    assert all(folder in wrote.stdout for folder in FOLDERS)
    for command in ("ruff check", "ruff format --check", "ty check"):
        checked = checkout.run(*command.split(), *FOLDERS[command == "ty check" :])
        assert checked.returncode == 0, checked.stdout

    with_example = ("--config", f"only=[regression,{NAME}]")
    done = checkout.snakemake(*with_example)
    assert done.returncode == 0, done.stderr
    assert all(words in page.read_text() for words in WORDS)
    made = {f"results/tables/{NAME}.parquet", f"results/claims/{IDENTIFIER}.parquet"}
    made |= {f"results/figures/{IDENTIFIER}/losses.{suffix}" for suffix in ("pdf", "png", "svg", "csv")}
    for depth, seed in product((1, 2, 3), range(4)):
        made.add(f"results/runs/experiment={NAME}/depth={depth}/seed={seed}/run.parquet")
    assert results(checkout) - results_before == made
    ledger = pq.read_table(checkout.folder / f"results/claims/{IDENTIFIER}.parquet").to_pylist()
    entries = [row for row in ledger if row["kind"] != "setting"]
    assert [row["kind"] for row in entries] == ["coverage", "bound", "number", "ordering"]
    assert {row["verdict"] for row in entries[1:]} == {"reproduced"}
    settings = [(row["claim"], row["printed"], row["ours"]) for row in ledger if row["kind"] == "setting"]
    assert settings == [(f"{NAME}: scale", "0.1", "0.1"), (f"{NAME}: learning_rate", "0.02", "0.02")]
    assert "Nothing to be done" in checkout.snakemake(*with_example).stderr
    # As the guide ends; the tests are those of the document and those that concern all documents at once.
    assert checkout.run("python", "tools/record.py", IDENTIFIER).returncode == 0
    # The search finds figures, most of which are hidden here.
    others = {"test_search", *(name for each in documents_of(Package()).values() for name in (each.id, each.room))}
    own = f"{IDENTIFIER} or {NAME} or (documents and not ({' or '.join(sorted(others))}))"
    checked = checkout.run("pytest", "-n", "0", "tests/deepnets", "tests/reproduce", "-k", own)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for folder in FOLDERS:
        shutil.rmtree(checkout.folder / folder)
    # While its block is left in the config, the message names it.
    assert f"experiments.{NAME}: is not a known key" in checkout.snakemake(*other).stderr
    block = files_of((ROOT / GUIDE).read_text(), NAME)[Path("config.yaml")]
    config.write_text(config.read_text().removesuffix(block))
    assert config.read_text() == before
    # The audit lists what is left.
    foreign = re.findall("^foreign +(.+)$", checkout.run("python", "-m", "reproduce.tools.audit", *other).stdout, re.M)
    assert set(foreign) >= made
    for path in foreign:
        (checkout.folder / path).unlink()
    assert results(checkout) == results_before
    done = checkout.snakemake(*other)
    assert done.returncode == 0, done.stderr
    # The three steps are the page, claims.md and `all`.
    assert "3 of 3 steps (100%) done" in done.stderr
    assert page.read_text() == page_before
    assert "Nothing to be done" in checkout.snakemake(*other).stderr


def test_invalid_and_taken_names_are_refused(checkout):
    for name, told in (
        ("Toy net", "'Toy net' names folders and modules; allowed: small letters, digits and _, a letter first"),
        ("saxe_2013", "there is a document 'saxe-2013'; choose another name"),
        ("classifier", "workflow/deepnets/experiments/classifier exists; choose another name"),
    ):
        refused = checkout.run(*TOOL, name)
        assert refused.returncode == 1
        assert told in refused.stderr
    assert (checkout.folder / "config.yaml").read_text() == (ROOT / "config.yaml").read_text()
