import asyncio
from types import SimpleNamespace

import pytest

from reproduce.engine.persistence import skip_current


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
