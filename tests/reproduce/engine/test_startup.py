import asyncio
import os
import shutil
import sys
from collections import namedtuple
from types import SimpleNamespace

import pytest

from reproduce.engine.cutoff import skip_current
from reproduce.engine.startup import stop_polling, use_own_python

Rate = namedtuple("Rate", "max_jobs timespan")


def test_jobs_use_the_python_of_snakemake(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin")
    use_own_python()
    assert shutil.which("python") == os.path.join(os.path.dirname(sys.executable), "python")


@pytest.mark.parametrize(("rate", "stops"), [(Rate(100, 1), True), (Rate(5, 1), False), (Rate(100, 60), False)])
def test_polling_stops_unless_the_user_set_a_limit(rate, stops):
    workflow = SimpleNamespace(scheduler=SimpleNamespace(job_rate_limiter=rate))
    stop_polling(workflow)
    assert workflow.scheduler.job_rate_limiter == (None if stops else rate)


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
