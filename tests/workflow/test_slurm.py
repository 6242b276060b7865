"""On a real Slurm, with the profile for users, the workflow gives the bytes of a local run, even if jobs fail."""

import os
import re
import signal
import time
from collections.abc import Callable

import pytest
from test_interruption import Started, assert_undisturbed, list_damaged
from test_staleness import NOTHING, assert_stale

from conftest import HANGS, ROOT, Project, digests
from one_node_slurm import SLOTS, Cluster, UnavailableError, one_node

# All tests share one cluster, so they run in one process.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("slurm")]
PROFILE = "workflow/profiles/slurm"
# Jobs here take seconds: with the profile's interval, the tests would mostly wait for status checks.
PACE = ("--seconds-between-status-checks", "1")


@pytest.fixture(scope="module")
def slurm():
    try:
        with one_node() as cluster:
            yield cluster
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture
def cluster(slurm):
    """A cluster, whose node is idle."""
    yield slurm
    slurm.cancel()
    wait_for(lambda: not slurm.active())
    slurm.partition("Default=YES", "AllowAccounts=ALL")
    if "drain" in slurm.ask("sinfo", "--noheader", "--format=%T"):
        slurm.resume()


@pytest.fixture
def tmp_path(tmp_path):
    """A folder with a blank in its name, in which each test has its project."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    return folder


@pytest.fixture
def submit(cluster):
    """A function that starts the workflow on the cluster as docs describe."""
    workflows = []

    def start(project: Project, *arguments: str, **environment: str) -> Started:
        environment = {**cluster.environment, **environment}
        profile = ("--workflow-profile", PROFILE, *PACE)
        workflows.append(Started(project, *profile, *arguments, **environment))
        return workflows[-1]

    yield start
    # A failed test has not waited for its workflows.
    for workflow in workflows:
        if workflow.is_running():
            workflow.kill(jobs=True)


def wait_for(found: Callable, *, workflow: Started | None = None):
    """Call `found` until its result is true; return this result. Fail when the workflow ends, or if the test hangs."""
    deadline = time.monotonic() + HANGS
    while not (answer := found()):
        assert workflow is None or workflow.is_running(), workflow.words()
        assert time.monotonic() < deadline, workflow.words() if workflow else ""
        time.sleep(0.1)
    return answer


def find_job(cluster: Cluster, word: str, *states: str) -> dict | None:
    return next((job for job in cluster.active(*states) if word in job["comment"]), None)


def test_jobs_on_the_cluster_write_the_bytes_of_a_local_run(project, finished, cluster, submit):
    table = "results/tables/regression.parquet"
    words = submit(project, table).finish()
    assert {job["state"] for job in cluster.jobs()} == {"COMPLETED"}, words
    expected = digests(finished).items()
    assert digests(project) == {path: each for path, each in expected if "regression" in path.split("/figures/")[0]}
    # Neither the cluster nor the jobs' resources make a result stale.
    assert_stale(project, NOTHING, table)


@pytest.mark.nightly
def test_the_whole_tiny_config_gives_the_bytes_of_a_local_run_despite_failed_jobs(project, finished, cluster, submit):
    cluster.drain()
    workflow = submit(project)
    starved, cancelled = (
        wait_for(lambda word=word: find_job(cluster, word, "PENDING"), workflow=workflow)
        for word in ("classifier", "hierarchy")
    )
    cluster.ask("scontrol", "update", f"JobId={starved['id']}", "MinMemoryNode=100")
    cluster.ask("scancel", cancelled["id"])
    cluster.resume()
    words = workflow.finish()
    assert workflow.process.returncode == 0, words
    assert digests(project) == digests(finished)
    assert list_damaged(project) == []
    assert_stale(project, NOTHING)
    for victim, states in ((starved, ("FAILED", "OUT_OF_MEMORY")), (cancelled, ("CANCELLED",))):
        first, *_, last = (job for job in cluster.jobs() if job["comment"] == victim["comment"])
        assert first["id"] == victim["id"] and first["state"] in states
        assert f"The last lines of results/logs/slurm/{victim['id']}.log:" in words
        assert (last["state"], victim["memory"], last["memory"]) == ("COMPLETED", "1000M", "2000M")


@pytest.mark.nightly
@pytest.mark.parametrize("mode", ["REQUEUE", "CANCEL", "by its user"])
def test_a_job_that_slurm_takes_back_is_submitted_once_with_its_request(project, cluster, submit, mode):
    cluster.partition("PreemptMode=CANCEL" if mode == "CANCEL" else "PreemptMode=REQUEUE")
    urgent = ("sbatch", "--partition=urgent", f"--ntasks={SLOTS}", "--output=/dev/null", "--wrap=sleep 1")
    before = len(cluster.jobs())
    workflow = submit(project, "results/tables/regression.parquet")
    # More often than Snakemake retries.
    for _ in range(4):
        job = wait_for(lambda: find_job(cluster, "points-regression", "RUNNING"), workflow=workflow)
        cluster.ask(*(("scontrol", "requeue", job["id"]) if mode == "by its user" else urgent))
        wait_for(lambda: find_job(cluster, "points-regression", "PENDING"), workflow=workflow)
        # Otherwise it waits for two minutes.
        cluster.ask("scontrol", "update", f"JobId={job['id']}", "StartTime=now")
    words = workflow.finish()
    assert workflow.process.returncode == 0, words
    jobs = [job for job in cluster.jobs()[before:] if "regression" in job["comment"]]
    assert len({job["comment"] for job in jobs}) == len(jobs), jobs
    assert {(job["state"], job["memory"]) for job in jobs} == {("COMPLETED", "1000M")}


@pytest.mark.nightly
def test_orphans_of_a_killed_workflow_damage_no_result(small_project, finished, cluster, submit):
    # Make few figures, because the last of the three runs makes all that is left.
    targets = [f"results/figures/000-classifier/{name}.pdf" for name in ("accuracy_by_depth", "accuracy_by_variant")]

    def is_running() -> bool:
        return any(small_project.folder.glob("results/runs/**/run.parquet")) and bool(cluster.active("RUNNING"))

    # First ignore the recipe in docs: jobs of the killed workflow continue beside the same jobs, submitted again.
    for by_recipe in (False, True):
        workflow = submit(small_project, *targets)
        wait_for(is_running, workflow=workflow)
        workflow.kill(jobs=False)
        orphans = {job["id"] for job in cluster.active()}
        assert orphans
        assert list_damaged(small_project) == []
        if by_recipe:
            (recipe,) = re.findall(r"^squeue .* scancel$", (ROOT / "docs/running.md").read_text(), flags=re.MULTILINE)
            small_project.run("bash", "-c", recipe, **cluster.environment)
            wait_for(lambda: not cluster.active())
            assert "CANCELLED" in {job["state"] for job in cluster.jobs() if job["id"] in orphans}
        assert small_project.snakemake("--unlock").returncode == 0
    workflow = submit(small_project, *targets)
    words = workflow.finish()
    assert workflow.process.returncode == 0, words
    assert not cluster.active()
    assert list_damaged(small_project) == []
    assert_undisturbed(small_project, finished, *targets)


@pytest.mark.nightly
def test_a_partition_of_the_users_own_profile_is_used_and_ctrl_c_empties_the_queue(small_project, cluster, submit):
    cluster.partition("Default=NO")
    (small_project.folder / "site.yaml").write_text("default-resources: {slurm_partition: main}")
    cluster.drain()
    workflow = submit(small_project, "--group-components", "points-classifier=1", SNAKEMAKE_PROFILE="site.yaml")
    wait_for(lambda: cluster.active("PENDING"), workflow=workflow)
    # A terminal sends the signal to all processes, also to the sbatch that is running.
    os.killpg(workflow.process.pid, signal.SIGINT)
    words = workflow.finish()
    assert workflow.process.returncode != 0, words
    assert not cluster.active()
