"""The README tells the truth about commands and figures."""

import re

from conftest import ROOT

from workflow.deepnets.config.plan import Plan

README = (ROOT / "README.md").read_text()


def test_every_figure_stands_in_the_table(config):
    rows = set(re.findall(r"^\| `(\w+)` \| `([\w-]+)` \| \[`([\w.]+)`\]\(([\w/.]+)\) \|$", README, flags=re.MULTILINE))
    figures = Plan(config).figures.values()
    assert rows == {
        (
            figure.name,
            figure.document,
            figure.entry.removeprefix("workflow.deepnets.").replace(":", "."),
            figure.entry.partition(":")[0].replace(".", "/") + ".py",
        )
        for figure in figures
    }


def test_ci_runs_the_second_command():
    make, test = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)
    assert make.endswith("&& snakemake --cores 8")
    assert test in (ROOT / ".ci/run").read_text().splitlines()


def test_every_linked_file_exists():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target
