"""After kills, a second workflow or a wrong clock, the workflow ends with the bytes of an undisturbed run."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import psutil
import pytest
from test_staleness import NOTHING, assert_audited, assert_stale, find_linear_run, run_audit

from conftest import HANGS, NIGHTLY, Project, digests
from reproduce.tools.audit import DAMAGED

pytestmark = pytest.mark.slow
KILLS = 10 if NIGHTLY else 2


class Started:
    """A running workflow, in its own process group, whose output goes to a file."""

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

    def is_running(self) -> bool:
        return self.process.poll() is None

    def finish(self) -> str:
        self.process.wait(timeout=HANGS)
        return self.words()

    def words(self) -> str:
        return self._words.read_text()

    def kill(self, *, jobs: bool) -> None:
        """Kill the workflow. If `jobs` is false, its jobs continue as orphans and write their files."""
        if jobs:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()


def assert_undisturbed(project, finished, *targets):
    """Check that nothing is stale and that all bytes are those of an undisturbed run of all documents.

    targets: the files that were made; if omitted, all.
    """
    planned = assert_stale(project, NOTHING, *targets)
    if not targets:
        assert_audited(project, NOTHING)
    expected = {path: digest for path, digest in digests(finished).items() if path in planned}
    made = digests(project)
    assert made.keys() == expected.keys()
    # The synthesis judges the experiments that ran, so its ledger differs if some are left out.
    differing = {path for path in made if made[path] != expected[path]}
    assert all("synthesis" in path for path in differing) if project.configfiles[-1] == "only.yaml" else not differing


def list_damaged(project):
    return [finding for finding in run_audit(project) if finding.verdict == DAMAGED]


def list_jobs(workflow: Started) -> list[psutil.Process]:
    found = []
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(workflow.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if "workflow/launch.py" in process.cmdline():
                    found.append(process)
    return found


def test_a_killed_workflow_beside_a_second_one_ends_with_the_same_bytes(smallest_project, finished):
    # Cache the fingerprints first: computing them takes longer than several jobs.
    assert smallest_project.snakemake("--dry-run").returncode == 0
    moments, hits = random.Random(0), 0
    for kill in range(KILLS):
        # Removing a lock takes longer than the run, so only the last workflow sets one.
        workflow = Started(smallest_project, "--cores", "2", *(() if kill == KILLS - 1 else ("--nolock",)))
        while not list_jobs(workflow):
            assert workflow.is_running(), f"no job was left for kill {kill}"
            time.sleep(0.02)
        # A job of this size takes about a second.
        time.sleep(moments.uniform(0, 1))
        hits += bool(list_jobs(workflow))
        workflow.kill(jobs=kill % 2 == 0)
        assert list_damaged(smallest_project) == []
    assert hits >= KILLS // 2
    assert smallest_project.snakemake("--unlock").returncode == 0
    assert smallest_project.snakemake().returncode == 0
    assert_undisturbed(smallest_project, finished)
    # A second workflow in the folder is refused, and does not disturb the first, which has all to do.
    shutil.rmtree(smallest_project.folder / "results")
    first = Started(smallest_project)
    while "Finished jobid" not in first.words():
        assert first.is_running()
        time.sleep(0.1)
    second = smallest_project.snakemake()
    assert second.returncode != 0
    assert "cannot be locked" in second.stderr
    words = first.finish()
    assert first.process.returncode == 0, words
    assert_undisturbed(smallest_project, finished)


def test_a_job_that_is_killed_for_memory_is_named_and_made_again(copied, finished):
    shutil.rmtree(copied.folder / "results/runs/experiment=mnist_dynamics")
    table = "results/tables/mnist_dynamics.parquet"
    (copied.folder / table).unlink()
    workflow = Started(copied, "--cores", "2", table)
    while not (jobs := list_jobs(workflow)):
        assert workflow.is_running()
    # The kernel does this to the largest process when memory is exhausted.
    jobs[0].kill()
    words = workflow.finish()
    assert workflow.process.returncode != 0
    assert "Error in rule train" in words
    assert list_damaged(copied) == []
    done = copied.snakemake(table)
    assert done.returncode == 0, done.stderr
    assert_undisturbed(copied, finished)


def test_a_clock_set_back_makes_nothing_stale_and_the_recipe_in_docs_helps(copied, finished):
    # For a clock that was set back, all results are from tomorrow.
    tomorrow = time.time() + 86_400
    for path in copied.folder.rglob("*"):
        if path.is_file():
            os.utime(path, (tomorrow, tomorrow))
    assert_stale(copied, NOTHING)
    assert_audited(copied, NOTHING)
    find_linear_run(copied).unlink()
    done = copied.snakemake()
    if done.returncode:
        # Snakemake may refuse an output that is older than its input.
        assert "has older modification time" in done.stderr
        assert copied.run("bash", "-c", "find results workflow -type f -exec touch {} +").returncode == 0
        done = copied.snakemake()
    assert done.returncode == 0, done.stderr
    assert_undisturbed(copied, finished)
