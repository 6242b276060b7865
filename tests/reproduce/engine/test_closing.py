import logging
from types import SimpleNamespace

import pytest
from snakemake.logging import logger

from reproduce.engine.closing import print_end

LEFT = "The first images: not the document's numbers"


def job(rule, *output):
    wildcards = SimpleNamespace(document="toy")
    return SimpleNamespace(rule=SimpleNamespace(name=rule), output=output, wildcards=wildcards)


@pytest.fixture
def print_block(caplog, monkeypatch):
    monkeypatch.setattr(logger, "propagate", True)

    def print_block(*jobs, reduced="", configfiles=("config.yaml",), differing=(), compared=7, missing=()):
        caplog.clear()
        workflow = SimpleNamespace(
            configfiles=configfiles, config_settings=SimpleNamespace(config_args=[]), dag=SimpleNamespace(jobs=jobs)
        )
        data = SimpleNamespace(data_sets=lambda files: {"Toy": reduced} if "results/data/toy.npz" in files else {})
        found = [f"toy/{line}" for line in differing]
        with caplog.at_level(logging.INFO):
            print_end(workflow, data, lambda documents: (found, compared, [*missing]))
        return caplog.messages[-1].strip().splitlines()

    return print_block


def test_a_start_of_the_default_config_ends_with_data_verdicts_and_page(print_block):
    made = (job("judge", "results/claims/toy.parquet"), job("page", "results/report.html"))
    # Runs of the start that read no data set say nothing of those of the config.
    assert print_block(*made)[0].startswith("Verdicts: ")
    made = (job("data", "results/data/toy.npz"), *made)
    same = ["Data: Toy, complete.", "Verdicts: none of 7 differ from the recorded ones.", "Page: results/report.html"]
    assert print_block(*made) == same
    changed = print_block(*made, differing=["a: undecided; recorded: reproduced"])
    assert changed[1:3] == [
        "Verdicts: 1 of 7 differ from the recorded ones.",
        "  toy/a: undecided; recorded: reproduced",
    ]
    assert print_block(*made, configfiles=("quick.yaml", "config.yaml")) == [same[0], same[2]]
    left = "toy: not compared"
    assert print_block(*made, reduced="the first images", missing=[left]) == [
        f"Data: Toy, {LEFT}.",
        same[1],
        f"  {left}",
        same[2],
    ]
    assert print_block(*made, compared=0, missing=[left]) == [same[0], f"  {left}", same[2]]
