"""After random interruptions, full disks or beside a second workflow, a restart makes all results and leaves no debris.

It takes an hour or more: run `pytest tools/soak.py`. A case's number is the seed of its random choices:
`pytest "tools/soak.py::test_interrupted[17]" -n 0` repeats one case.
"""

import os
import random
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/workflow"))

from test_interruption import Started, list_damaged, list_jobs
from test_slurm import wait_for
from test_staleness import NOTHING, assert_stale

from conftest import Project, digests

pytestmark = pytest.mark.slow
# For the fixtures of tests, and for `cluster` and `submit`.
pytest_plugins = ["conftest", "test_slurm"]
INTERRUPTIONS, FULL_DISKS, PAIRS, CLUSTERS = 100, 10, 10, 3
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
# A signal that arrives after the end tests nothing: the case is repeated with an earlier signal.
ATTEMPTS = 6


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """A project in which documents 000 and 001 were made without disturbance."""
    project = Project(tmp_path_factory.mktemp("reference"), only=("classifier", "mnist_dynamics"))
    done = project.snakemake()
    assert done.returncode == 0, done.stderr
    return project


def delete_some_results(reference: Project, folder: Path, choice: random.Random) -> Project:
    """Return a copy of the project from which a random share of the results is deleted."""
    project = reference.copy(folder)
    share = choice.uniform(0.2, 1.3)
    for path in digests(project):
        # Snakemake fetches a data set again only for a run that reads it: delete data only together with all results.
        if choice.random() < share and (share > 1 or not path.startswith("results/data/")):
            (project.folder / path).unlink()
    return project


def interrupt(workflow: Started, target: str, which: signal.Signals, choice: random.Random) -> bool:
    """Send a signal to the workflow, its session or a job; return whether this stopped the workflow."""
    if not workflow.is_running():
        return False
    if target == "workflow":
        os.kill(workflow.process.pid, which)
    elif target == "session":
        os.killpg(workflow.process.pid, which)
    else:
        jobs = list_jobs(workflow)
        if not jobs:
            return False
        with suppress(psutil.NoSuchProcess):
            choice.choice(jobs).send_signal(which)
    workflow.process.wait(timeout=300)
    return workflow.process.returncode != 0


def assert_ends_like(reference: Project, project: Project) -> None:
    assert list_damaged(project) == []
    assert project.snakemake("--unlock").returncode == 0
    done = project.snakemake()
    assert done.returncode == 0, done.stderr
    assert digests(project) == digests(reference)
    assert [str(path) for path in project.folder.glob("results/**/.*")] == []
    assert_stale(project, NOTHING)


@pytest.mark.parametrize("case", range(INTERRUPTIONS))
def test_interrupted(reference, tmp_path, case):
    choice = random.Random(case)
    target, which = choice.choice(("workflow", "job", "session")), choice.choice(SIGNALS)
    for attempt in range(ATTEMPTS):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        project = delete_some_results(reference, folder, choice)
        workflow = Started(project)
        time.sleep(choice.uniform(0.5, 12 / 2**attempt))
        # Jobs begin after the plan.
        while target == "job" and workflow.is_running() and not list_jobs(workflow):
            time.sleep(0.02)
        if interrupt(workflow, target, which, choice):
            assert_ends_like(reference, project)
            return
        workflow.finish()
    pytest.fail(f"{which.name} to {target} never arrived in time")


# Mount a small disk for the results, in a namespace where this needs no privilege. The first run fills it; the disk is
# enlarged before the second run.
TWO_RUNS = """
set -u
mv results kept
mkdir results
mount -t tmpfs -o size={size}k results results || exit 77
cp -a kept/. results/ 2> /dev/null
{snakemake} && echo "the disk was large enough"
mount -o remount,size=100m results
{snakemake} --unlock && {snakemake}
status=$?
rm -rf kept && cp -a results kept
exit $status
"""


@pytest.mark.parametrize("case", range(FULL_DISKS))
def test_a_full_disk(reference, tmp_path, case):
    choice = random.Random(case)
    project = delete_some_results(reference, tmp_path, choice)
    # Count files only: on a disk in memory, folders need no space.
    held, whole = (
        sum(path.stat().st_blocks for path in each.folder.glob("results/**/*") if path.is_file()) // 2
        for each in (project, reference)
    )
    size = held + int((whole - held) * choice.uniform(0.1, 0.8))
    snakemake = f"{sys.executable} -m snakemake --cores 2 --configfile {' '.join(project.configfiles)}"
    script = TWO_RUNS.format(size=size, snakemake=snakemake)
    done = project.run("unshare", "--user", "--map-root-user", "--mount", "bash", "-c", script)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("no file system can be mounted here")
    assert done.returncode == 0, done.stderr
    assert "the disk was large enough" not in done.stdout
    assert "No space left on device" in done.stderr
    shutil.rmtree(project.folder / "results")
    (project.folder / "kept").rename(project.folder / "results")
    assert_ends_like(reference, project)


@pytest.mark.parametrize("case", range(PAIRS))
def test_two_workflows_at_once(reference, tmp_path, case):
    choice = random.Random(case)
    project = delete_some_results(reference, tmp_path, choice)
    # Half of the pairs ignore Snakemake's lock, as after an --unlock that came too early.
    lock = ["--nolock"] if case % 2 else []
    first = Started(project, "--cores", "2", *lock)
    time.sleep(choice.uniform(0, 6))
    second = project.snakemake(*lock)
    first.finish()
    if not lock:
        assert 0 in (first.process.returncode, second.returncode)
        assert second.returncode == 0 or "cannot be locked" in second.stderr + first.words()
    assert_ends_like(reference, project)


@pytest.mark.xdist_group("slurm")
@pytest.mark.parametrize("case", range(CLUSTERS))
def test_ctrl_c_on_a_cluster(reference, tmp_path, cluster, submit, case):
    choice = random.Random(case)
    project = delete_some_results(reference, tmp_path, choice)
    workflow = submit(project)
    wait_for(lambda: cluster.active("RUNNING"), workflow=workflow)
    time.sleep(choice.uniform(0, 5))
    assert workflow.is_running()
    os.killpg(workflow.process.pid, signal.SIGINT)
    workflow.process.wait(timeout=300)
    assert workflow.process.returncode != 0
    assert not cluster.active("PENDING")
    wait_for(lambda: not cluster.active())
    assert_ends_like(reference, project)
