"""Killed, crowded and misled: the workflow ends with the bytes of an undisturbed run."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress

import psutil
import pyarrow.parquet as pq
import pytest
from conftest import HANGS, Project, digests
from test_staleness import CLASSIFIER, NOTHING, assert_audited, assert_stale, audited, run_of_linear
from tiers import runs

from workflow.deepnets.tools.audit import DAMAGED

pytestmark = pytest.mark.slow
KILLS = 10 if runs(["nightly"], os.environ["CI_TIERS"]) else 3


class Started:
    """The workflow under way, in a process group of its own, its words in a file."""

    def __init__(
        self, project: Project, *arguments: str, python: str | os.PathLike = sys.executable, **environment: str
    ) -> None:
        paths = os.pathsep.join([os.path.dirname(python), environment.pop("PATH", os.environ["PATH"])])
        self._words = project.folder / "words.txt"
        arguments = arguments or ("--cores", "2")
        with self._words.open("w") as words:
            self.process = subprocess.Popen(
                [python, "-m", "snakemake", *arguments, "--configfile", *project.configfiles],
                cwd=project.folder,
                env={**os.environ, **environment, "PATH": paths},
                start_new_session=True,
                # Tests that a shell started in the background inherit SIGINT as ignored: Ctrl-C would never arrive.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                stdout=words,
                stderr=words,
            )

    def under_way(self) -> bool:
        return self.process.poll() is None

    def finish(self) -> str:
        self.process.wait(timeout=HANGS)
        return self.words()

    def words(self) -> str:
        return self._words.read_text()

    def kill(self, *, jobs: bool) -> None:
        """Kill the workflow, and its jobs or not: orphans go on to write their files."""
        if jobs:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()


def assert_undisturbed(project, finished, *targets):
    """Nothing is stale, and all bytes are those of an undisturbed run of all documents.

    targets: what was asked for instead of everything.
    """
    planned = assert_stale(project, NOTHING, *targets)
    if not targets:
        assert_audited(project, NOTHING)
    expected = {path: digest for path, digest in digests(finished).items() if path in planned}
    made = digests(project)
    assert made.keys() == expected.keys()
    # The synthesis judges whatever experiments ran: its ledger is another one if some are left out.
    differing = {path for path in made if made[path] != expected[path]}
    assert all("synthesis" in path for path in differing) if project.configfiles[-1] == "only.yaml" else not differing


def damaged(project):
    return [finding for finding in audited(project) if finding.verdict == DAMAGED]


def jobs_of(workflow: Started) -> list[psutil.Process]:
    """Return the processes of jobs that a workflow runs now."""
    found = []
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(workflow.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if "workflow.deepnets.jobs" in process.cmdline():
                    found.append(process)
    return found


def test_killed_and_crowded_it_ends_with_the_same_bytes(small_project, finished):
    # Keeps the fingerprints, which take longer to find than several jobs take.
    assert small_project.snakemake("--dry-run").returncode == 0
    moments, hits = random.Random(0), 0
    for kill in range(KILLS):
        # To remove a lock takes longer than the run: only the last leaves one behind.
        workflow = Started(small_project, "--cores", "2", *(() if kill == KILLS - 1 else ("--nolock",)))
        while not jobs_of(workflow):
            assert workflow.under_way(), f"no job was left for kill {kill}"
            time.sleep(0.02)
        # A job of this size takes about a second.
        time.sleep(moments.uniform(0, 1))
        hits += bool(jobs_of(workflow))
        workflow.kill(jobs=kill % 2 == 0)
        assert damaged(small_project) == []
    assert hits >= KILLS // 2
    assert small_project.snakemake("--unlock").returncode == 0
    # A second workflow in the folder is turned away, and does not disturb the first.
    first = Started(small_project)
    while "Finished jobid" not in first.words():
        assert first.under_way()
        time.sleep(0.1)
    second = small_project.snakemake()
    assert second.returncode != 0
    assert "cannot be locked" in second.stderr
    words = first.finish()
    assert first.process.returncode == 0, words
    assert_undisturbed(small_project, finished)


def test_a_job_that_is_killed_for_memory_is_named_and_made_again(smallest_project, finished):
    table = "results/tables/mnist_dynamics.parquet"
    workflow = Started(smallest_project, "--cores", "2", table)
    victim = None
    while victim is None:
        assert workflow.under_way()
        for child in psutil.Process(workflow.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if {"workflow.deepnets.jobs", "train"} <= set(child.cmdline()):
                    victim = child
    # What the kernel does to the largest process when memory ends.
    victim.kill()
    words = workflow.finish()
    assert workflow.process.returncode != 0
    assert "Error in rule train" in words
    assert damaged(smallest_project) == []
    done = smallest_project.snakemake(table)
    assert done.returncode == 0, done.stderr
    assert_undisturbed(smallest_project, finished, table)


def test_a_job_interrupted_by_an_edit_is_not_filed_under_the_old_code(copied):
    path = str(run_of_linear(copied).relative_to(copied.folder))
    stamp = pq.read_metadata(copied.folder / path).metadata
    copied.edit(CLASSIFIER, "np.log(sums)", "np.log2(sums)")
    job = ["python", "-m", "workflow.deepnets.jobs", "train", "--output", path]
    done = copied.run(*job, "--spec", stamp[b"spec"].decode(), "--code", stamp[b"code"].decode())
    assert done.returncode == 1
    assert "experiments.classifier.run:run changed after this job was planned; start snakemake again" in done.stderr


def test_an_orphan_replaces_nothing(copied, tmp_path_factory):
    # Its workflow was killed, the code edited, and the run made again, before the orphan has read its data.
    (path,) = copied.folder.glob("results/runs/experiment=mnist_dynamics/**/rule=samples/**/run.parquet")
    stamp = {key.decode(): value.decode() for key, value in pq.read_metadata(path).metadata.items()}
    pipe = tmp_path_factory.mktemp("pipe") / "whitened.npz"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "workflow.deepnets.jobs", "train", "--data", pipe, "--output", path]
    command += ["--spec", stamp["spec"], "--code", stamp["code"]]
    orphan = subprocess.Popen(command, cwd=copied.folder, stderr=subprocess.PIPE, text=True)
    while not list(path.parent.glob(".run.*")):
        assert orphan.poll() is None
        time.sleep(0.05)
    copied.edit("workflow/deepnets/experiments/mnist_dynamics/run.py", '"train_loss"', '"training_loss"')
    done = copied.snakemake(str(path.relative_to(copied.folder)))
    assert done.returncode == 0, done.stderr
    made = path.read_bytes()
    pipe.write_bytes((copied.folder / "results/data/whitened.npz").read_bytes())
    _, words = orphan.communicate(timeout=60)
    assert orphan.returncode == 1
    assert "another job began to write" in words
    assert path.read_bytes() == made
    assert [each.name for each in path.parent.iterdir()] == ["run.parquet"]


def test_a_clock_set_back_makes_nothing_again_and_the_recipe_mends_it(copied, finished):
    # Seen from a clock set back, all results come from tomorrow.
    tomorrow = time.time() + 86_400
    for path in copied.folder.rglob("*"):
        if path.is_file():
            os.utime(path, (tomorrow, tomorrow))
    assert_stale(copied, NOTHING)
    assert_audited(copied, NOTHING)
    run_of_linear(copied).unlink()
    done = copied.snakemake()
    if done.returncode:
        # Snakemake may trust no output that is older than its input, and says so.
        assert "has older modification time" in done.stderr
        assert copied.run("bash", "-c", "find results workflow -type f -exec touch {} +").returncode == 0
        done = copied.snakemake()
    assert done.returncode == 0, done.stderr
    assert_undisturbed(copied, finished)
