import subprocess
import sys

from conftest import ROOT

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.fingerprint import code_of
from workflow.deepnets.code.modules import PACKAGE, Package

ENTRY = f"{PACKAGE}.experiments.regression.run:run"


def reached(*entries):
    command = [sys.executable, "-m", f"{PACKAGE}.tools.reached", *entries]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_each_definition_is_listed_with_what_reached_it_and_the_hash_of_all():
    *rows, last = reached(ENTRY).stdout.splitlines()
    listed = {key: origin for key, _, origin in (row.partition(" ") for row in rows)}
    assert listed[ENTRY].strip() == "entry"
    assert listed[f"{PACKAGE}.networks.linear:least_squares"].strip() == f"from {ENTRY}"
    assert any(key.startswith("numpy==") for key in listed)
    assert listed[f"{PACKAGE}.jobs.train:main"].strip() == "entry"
    assert last == code_of("train", ENTRY, Closure(Package()))


def test_what_is_no_entry_is_told():
    absent = f"{PACKAGE}.experiments.absent.run:run"
    for wrong in (PACKAGE, f"{PACKAGE}.networks.linear:product", f"{PACKAGE}.jobs.train:run", absent):
        done = reached(wrong)
        assert done.returncode == 1
        assert done.stderr.startswith(
            f"error: {wrong} is no entry of a job; allowed: {PACKAGE}.experiments.NAME.run:run"
        )


def test_figures_and_programs_are_listed_too():
    for entry, program in (
        (f"{PACKAGE}.documents.zero_init.figures.ranks:figure_3_left", "draw"),
        (f"{PACKAGE}.documents.hierarchy.charts.rate_scale_and_epoch:rate_scale_and_epoch", "interact"),
        (f"{PACKAGE}.jobs.whiten:main", "whiten"),
    ):
        assert reached(entry).stdout.splitlines()[-1] == code_of(program, entry, Closure(Package()))
