"""After kills, edits or a second workflow, the workflow ends with the bytes of an undisturbed run."""

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
from test_staleness import NOTHING, REGRESSION, assert_audited, assert_stale, run_audit

from conftest import HANGS, NIGHTLY, Project, digests

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
    return [path for path, reasons in run_audit(project).items() if reasons == ("damaged",)]


def list_jobs(workflow: Started) -> list[psutil.Process]:
    found = []
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(workflow.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if "workflow/launch.py" in process.cmdline():
                    found.append(process)
    return found


def wait_for_job(workflow: Started) -> list[psutil.Process]:
    while not (jobs := list_jobs(workflow)):
        assert workflow.is_running(), workflow.words()
        time.sleep(0.02)
    return jobs


def test_a_killed_workflow_beside_a_second_one_ends_with_the_same_bytes(smallest_project, finished):
    # Cache the fingerprints first: computing them takes longer than several jobs.
    assert smallest_project.snakemake("--dry-run").returncode == 0
    moments, hits = random.Random(0), 0
    for kill in range(KILLS):
        # Removing a lock takes longer than the run, so only the last workflow sets one.
        workflow = Started(smallest_project, "--cores", "2", *(() if kill == KILLS - 1 else ("--nolock",)))
        wait_for_job(workflow)
        # A job of this size takes about a second.
        time.sleep(moments.uniform(0, 1))
        hits += bool(list_jobs(workflow))
        workflow.kill(jobs=kill % 2 == 0)
        assert list_damaged(smallest_project) == []
    assert hits >= KILLS // 2
    assert smallest_project.snakemake("--unlock").returncode == 0
    # The kernel kills the largest process when memory is exhausted.
    workflow = Started(smallest_project)
    wait_for_job(workflow)[0].kill()
    assert "Error in rule" in workflow.finish() and workflow.process.returncode != 0
    assert list_damaged(smallest_project) == []
    # A second workflow in the folder is refused, and does not disturb the first.
    first = Started(smallest_project)
    wait_for_job(first)
    second = smallest_project.snakemake()
    assert second.returncode != 0
    assert "cannot be locked" in second.stderr
    words = first.finish()
    assert first.process.returncode == 0, words
    assert_undisturbed(smallest_project, finished)


def test_after_an_edit_during_a_run_the_next_start_makes_again_what_ran_before_it(copied):
    runs, table = "results/runs/experiment=regression", "results/tables/regression.parquet"
    shutil.rmtree(copied.folder / runs)
    (copied.folder / table).unlink()
    started = Started(copied, "--cores", "1", table)
    while not (before := list((copied.folder / runs).rglob("run.parquet"))):
        assert started.is_running(), started.words()
        time.sleep(0.02)
    copied.edit(f"{REGRESSION}/run.py", "random = np", "random = 0\n    random = np")
    words = started.finish()
    assert started.process.returncode == 0, words
    stale = {path for path, reasons in run_audit(copied).items() if "code" in reasons}
    assert {path.relative_to(copied.folder).as_posix() for path in before} <= stale
    assert copied.snakemake(table).returncode == 0
    assert_stale(copied, NOTHING)
    assert_audited(copied, NOTHING)
