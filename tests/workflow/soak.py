"""A hundred interruptions at random moments, full disks, two workflows at once: nothing is lost, nothing left behind.

Too long for every day, so no test_ file: `pytest tests/workflow/soak.py`, in the developer's environment. A case's
number is the seed of its random choices: `pytest "tests/workflow/soak.py::test_interrupted[17]" -n 0` runs one again.
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
from conftest import Project, digests
from test_interruption import Started, damaged, jobs_of
from test_slurm import wait_for
from test_staleness import NOTHING, assert_stale

pytestmark = pytest.mark.slow
# Its cluster.
pytest_plugins = ["test_slurm"]
INTERRUPTIONS, FULL_DISKS, PAIRS, CLUSTERS = 100, 10, 10, 3
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
# A signal that comes when all is done shows nothing: the case is begun again, at an earlier moment.
ATTEMPTS = 6


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Documents 000 and 001, made without disturbance."""
    project = Project(tmp_path_factory.mktemp("reference"), only=("classifier", "mnist_dynamics"))
    done = project.snakemake()
    assert done.returncode == 0, done.stderr
    return project


def begun(reference: Project, folder: Path, choice: random.Random) -> Project:
    """A copy in which a random part of the results, most or few, is yet to be made."""
    project = reference.copy(folder)
    share = choice.uniform(0.2, 1.3)
    for path in digests(project):
        # A data set that no run needs is not fetched again: it goes with all that is made from it.
        if choice.random() < share and (share > 1 or not path.startswith("results/data/")):
            (project.folder / path).unlink()
    return project


def interrupted(workflow: Started, target: str, which: signal.Signals, choice: random.Random) -> bool:
    """Send a signal; return whether it arrived, at a workflow or a job that was still at work."""
    if not workflow.under_way():
        return False
    if target == "workflow":
        os.kill(workflow.process.pid, which)
    elif target == "session":
        os.killpg(workflow.process.pid, which)
    else:
        jobs = jobs_of(workflow)
        if not jobs:
            return False
        with suppress(psutil.NoSuchProcess):
            choice.choice(jobs).send_signal(which)
    workflow.process.wait(timeout=300)
    return workflow.process.returncode != 0


def assert_ends_like(reference: Project, project: Project) -> None:
    assert damaged(project) == []
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
        project = begun(reference, folder, choice)
        workflow = Started(project)
        time.sleep(choice.uniform(0.5, 12 / 2**attempt))
        # Jobs begin after the plan.
        while target == "job" and workflow.under_way() and not jobs_of(workflow):
            time.sleep(0.02)
        if interrupted(workflow, target, which, choice):
            assert_ends_like(reference, project)
            return
        workflow.finish()
    pytest.fail(f"{which.name} to {target} never arrived in time")


# A disk of its own for the results, in a namespace where this needs no privilege. It is full in the midst of the first
# run; the second finds more room.
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
    project = begun(reference, tmp_path, choice)
    # Of files alone: on a disk in memory, folders take no room.
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
    project = begun(reference, tmp_path, choice)
    # Half of the pairs against Snakemake's lock, as after an --unlock that came too early.
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
@pytest.mark.parametrize("misfortune", ["slurmctld", "slurmd", "Ctrl-C"])
def test_on_a_cluster(reference, tmp_path, cluster, submit, misfortune, case):
    choice = random.Random(case)
    project = begun(reference, tmp_path, choice)
    workflow = submit(project)
    wait_for(lambda: cluster.active("RUNNING"), workflow=workflow)
    time.sleep(choice.uniform(0, 5))
    assert workflow.under_way()
    if misfortune == "Ctrl-C":
        os.kill(workflow.process.pid, signal.SIGINT)
    else:
        cluster.lose(misfortune)
        # A node that starts again is away for longer than the 20 s in which Slurm takes a job for one that still
        # begins; of a node that is back before, it asks what runs there half an hour later.
        time.sleep(choice.uniform(25, 40) if misfortune == "slurmd" else choice.uniform(1, 10))
        cluster.give_back(misfortune)
    # Of a job that its controller forgot, Slurm tells when the node next registers: after half an hour.
    workflow.process.wait(timeout=3600)
    words = workflow.words()
    if misfortune == "Ctrl-C":
        assert workflow.process.returncode != 0
        assert not cluster.active("PENDING")
    # The cluster may have failed for longer than its programs try again; then the user does.
    print(misfortune, case, "ended with status", workflow.process.returncode, words[-500:])
    wait_for(lambda: not cluster.active())
    assert_ends_like(reference, project)
