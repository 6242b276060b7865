import subprocess
import sys
import time

import pytest

from reproduce.jobs.cost import costs_in, mathematics

JOB = """
from reproduce.errors import UserError
from reproduce.jobs.__main__ import run_to_end
from reproduce.jobs.cost import mathematics

def main():
    with mathematics():
        held = bytearray({megabytes} * 10**6)
    print("done")
    {end}

run_to_end(main)
"""


def run(megabytes=1, end=""):
    program = JOB.format(megabytes=megabytes, end=end)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def burn(seconds):
    start = time.process_time()
    while time.process_time() < start + seconds:
        pass


def test_time_for_mathematics_is_processor_time(capsys):
    with mathematics():
        burn(0.05)
        time.sleep(0.5)
    burn(0.05)
    assert 0.05 <= costs_in(capsys.readouterr().err)["mathematics_s"] < 0.3


def test_a_job_logs_its_cost_after_its_own_output():
    done = run()
    assert done.returncode == 0
    assert done.stdout == "done\n"
    costs = costs_in(done.stderr)
    assert 0 <= costs["mathematics_s"] < costs["cpu_s"] < 30
    assert costs["processor"]


def test_peak_memory_does_not_include_the_parent_process():
    # getrusage would count the parent, of which the child was a copy at first.
    held = bytearray(b"1") * 400_000_000
    little, much = (costs_in(run(megabytes).stderr)["peak_memory_mb"] for megabytes in (1, 201))
    assert len(held) / 1e6 > much
    assert much - little == pytest.approx(200, abs=10)


def test_a_failed_job_prints_its_error_and_no_cost():
    done = run(end="raise UserError('no such rank')")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "error: no such rank"
    assert "cpu_s" not in costs_in(done.stderr)


def test_other_lines_of_a_log_are_not_read_as_costs():
    assert costs_in('downloading\ncost: {"cpu_s": 1.5}\nfurther cost: {"cpu_s": 2}\n') == {"cpu_s": 1.5}
    assert costs_in("") == {}
