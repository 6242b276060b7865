import sys

import pytest

from conftest import Project

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A checkout in which nothing runs."""
    return Project(tmp_path_factory.mktemp("shared"), configfiles=("config.yaml",))


def refusal(done):
    """Return the sentence of a dry run that was refused, from stdout, or from stderr if no config was read."""
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr and "Exception" not in done.stdout + done.stderr
    _, head, sentence = (done.stdout or done.stderr).rpartition("Error:\n")
    assert head, done.stderr
    (line,) = sentence.splitlines()
    return line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["000-clasifier"],
            "'000-clasifier' is neither a target nor a result (did you mean '000-classifier'?); targets: ",
        ),
        (["--until", "trian"], "'trian' is neither a target nor a result (did you mean 'train'?); targets: "),
        (["--jobs", "0"], "--cores or --jobs 0: no job would ever start; allowed: 1 or more"),
        (["results/data/mnist.npz"], "MNIST_DIR: /nowhere is not a folder; "),
    ],
)
def test_what_cannot_be_planned_is_answered_by_one_sentence(shared, arguments, told):
    assert refusal(shared.snakemake("--dry-run", *arguments, MNIST_DIR="/nowhere")).startswith(told)


def test_the_dry_run_names_a_config_that_is_no_yaml(shared):
    path = shared.folder / "config.yaml"
    text = path.read_text()
    path.write_text(text.replace("only: null", "only: [null", 1))
    # Without --configfile: Snakemake reads its files before this workflow, and names neither file nor line.
    line = refusal(shared.run(sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run"))
    path.write_text(text)
    assert line.startswith("config.yaml:"), line


def test_a_start_ends_with_the_data_the_verdicts_and_the_page(copied):
    done = copied.snakemake("--forcerun", "page")
    assert done.returncode == 0, done.stderr
    block = done.stderr.rpartition("Data: ")[2].splitlines()
    assert block[0].startswith("MNIST, ") and "Page: results/report.html" in block
