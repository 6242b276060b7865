"""What a user's own environment says changes no job, and stops none."""

import pytest
from conftest import digests

# Its DAG is small, and holds each kind of job but those of MNIST.
FIGURE = "results/figures/003-hierarchy/regression_exercise.pdf"


@pytest.mark.slow
def test_variables_of_python_change_no_job(project, tmp_path_factory):
    assert project.snakemake(FIGURE).returncode == 0
    before = digests(project)
    assert FIGURE in before
    # Python runs it at every start, be it found.
    own = tmp_path_factory.mktemp("own") / "sitecustomize.py"
    own.write_text("import sys\nif 'workflow.deepnets.jobs' in sys.orig_argv: sys.exit('runs before the job')\n")
    variables = {"PYTHONPATH": str(own.parent), "PYTHONSAFEPATH": "1", "PYTHONOPTIMIZE": "2"}
    done = project.snakemake("--forceall", FIGURE, **variables)
    assert done.returncode == 0, done.stderr
    assert digests(project) == before
