import asyncio
import os
import subprocess
import sys
from collections import namedtuple
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from snakemake.exceptions import WorkflowError

from reproduce.engine.cutoff import skip_current
from reproduce.engine.startup import check_machine, stop_polling, use_own_python

Rate = namedtuple("Rate", "max_jobs timespan")


@pytest.mark.parametrize("folder", ["of an environment", "with python3 only", "with another python"])
def test_jobs_use_the_python_of_snakemake(tmp_path, monkeypatch, folder):
    other, own = tmp_path / "other", tmp_path / "own"
    for each in (other, own):
        each.mkdir()
        (each / "python").write_text("#!/bin/sh\nexit 1\n")
        (each / "python").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join([str(other), os.environ["PATH"]]))
    if folder != "of an environment":
        (own / "python3").symlink_to(os.path.realpath(sys.executable))
        if folder == "with python3 only":
            (own / "python").unlink()
        monkeypatch.setattr(sys, "executable", str(own / "python3"))
        monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    for _ in range(2):
        use_own_python()
        command = ["env", "python", "-c", "import sys; print(sys.prefix)"]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{sys.prefix}\n"


@pytest.mark.parametrize(("rate", "stops"), [(Rate(100, 1), True), (Rate(5, 1), False), (Rate(100, 60), False)])
def test_polling_stops_unless_the_user_set_a_limit(rate, stops):
    workflow = SimpleNamespace(scheduler=SimpleNamespace(job_rate_limiter=rate))
    stop_polling(workflow)
    assert workflow.scheduler.job_rate_limiter == (None if stops else rate)
    stop_polling(workflow)


@pytest.mark.parametrize(
    ("python", "here", "refused"),
    [("/my env/bin/python", False, True), ("/my env/bin/python", True, False), ("/env/bin/python", False, False)],
)
def test_a_cluster_refuses_an_interpreter_with_a_blank_in_its_path(monkeypatch, tmp_path, python, here, refused):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.executable", python)
    workflow = SimpleNamespace(
        local_exec=here,
        dag=SimpleNamespace(needrun_jobs=list),
        executor_settings=None,
        resource_settings=SimpleNamespace(cores=1),
        deployment_settings=SimpleNamespace(deployment_method=("conda",)),
    )
    with pytest.raises(WorkflowError, match=r"^/my env/bin/python: .* no blanks") if refused else nullcontext():
        check_machine(workflow, None)


class Job(SimpleNamespace):
    __hash__ = object.__hash__

    def __init__(self, name, rule="figure"):
        super().__init__(output=[name] if name else [], rule=rule)

    def is_group(self):
        return False


@pytest.mark.parametrize(
    ("options", "skipped"),
    [
        ({}, ["table", "figure"]),
        ({"stale": "table"}, []),
        ({"stale": "figure"}, ["table"]),
        ({"forcerules": {"aggregate"}}, []),
        ({"forcefiles": {"figure"}}, ["table"]),
        ({"method": {"conda"}}, []),
    ],
)
def test_a_job_is_skipped_if_its_result_is_current_and_nobody_forces_it(options, skipped):
    train, aggregate, draw, everything = Job("run"), Job("table", "aggregate"), Job("figure"), Job("")
    depending = {train: [aggregate], aggregate: [draw], draw: [everything], everything: []}
    started = []
    dag = SimpleNamespace(depending=depending, ready_jobs=set(), forcerules=set(), forcefiles=set())
    vars(dag).update({name: value for name, value in options.items() if name.startswith("force")})

    async def finish(job, **_):
        dag.ready_jobs |= set(depending[job])
        return bool(depending[job])

    dag.finish, dag.register_running = finish, started.extend
    workflow = SimpleNamespace(
        dag=dag,
        scheduler=SimpleNamespace(finished_jobs=0),
        deployment_settings=SimpleNamespace(deployment_method=options.get("method", set())),
    )
    skip_current(workflow, lambda path: path != options.get("stale"))
    assert asyncio.run(dag.finish(train))
    assert [job.output[0] for job in started] == skipped
    assert workflow.scheduler.finished_jobs == len(skipped)
