import sys

import pytest

from reproduce.code.closure import Closure
from reproduce.code.fingerprint import code_of
from reproduce.code.science import SCIENCE as PACKAGE
from reproduce.errors import UserError
from reproduce.tools import reached as program

ENTRY = f"{PACKAGE}.experiments.regression.run:run"
ABSENT = f"{PACKAGE}.experiments.absent.run:run"
REFUSAL = "no job has the entry {}; allowed: " + "reproduce.jobs.NAME:main, and in"


@pytest.fixture
def closure(default_plan):
    return Closure(default_plan.package)


@pytest.fixture
def reached(closure, monkeypatch, capsys):
    """A function that runs the program on the parsed sources and returns the lines that it prints."""
    monkeypatch.setattr(program, "Package", lambda: closure.package)

    def run(entry):
        monkeypatch.setattr(sys, "argv", ["reached", entry])
        program.main()
        return capsys.readouterr().out.splitlines()

    return run


def test_each_definition_is_printed_with_the_one_that_uses_it_and_the_hash_of_all(reached, closure):
    *rows, last = reached(ENTRY)
    listed = {key: origin for key, _, origin in (row.partition(" ") for row in rows)}
    assert listed[ENTRY].strip() == "entry"
    assert listed[f"{PACKAGE}.networks.linear:least_squares"].strip() == f"from {ENTRY}"
    assert any(key.startswith("numpy==") for key in listed)
    assert listed["reproduce.jobs.train:main"].strip() == "entry"
    assert last == code_of("train", ENTRY, closure)


@pytest.mark.parametrize("wrong", [PACKAGE, f"{PACKAGE}.networks.linear:product", "reproduce.jobs.train:run", ABSENT])
def test_a_wrong_entry_is_refused(reached, wrong):
    with pytest.raises(UserError) as told:
        reached(wrong)
    assert str(told.value).startswith(REFUSAL.format(wrong))


@pytest.mark.parametrize(
    ("entry", "job"),
    [
        (f"{PACKAGE}.documents.zero_init.figures:figure_3_left", "draw"),
        (f"{PACKAGE}.documents.mnist_dynamics.charts:learning_curves", "interact"),
        (f"{PACKAGE}.data.whitened.make:make", "data"),
    ],
)
def test_entries_of_figures_and_programs_are_accepted(reached, closure, entry, job):
    assert reached(entry)[-1] == code_of(job, entry, closure)
