import sys

import pytest

from conftest import Project

pytestmark = pytest.mark.slow
NAME = "toy_net"
ROOM = f"workflow/deepnets/documents/{NAME}"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A checkout with a new document, in which nothing runs."""
    project = Project(tmp_path_factory.mktemp("shared"), configfiles=("config.yaml",))
    assert project.run("python", "-m", "reproduce.tools.new", "document", NAME).returncode == 0
    return project


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
        (["--forcerun", "nonsense"], "'nonsense' is neither a target nor a result; targets: "),
    ],
)
def test_an_unknown_name_is_answered_by_one_sentence(shared, arguments, told):
    assert refusal(shared.snakemake("--dry-run", *arguments)).startswith(told)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("config.yaml", "only: null", "only: [null", "config.yaml:"),
        (f"{ROOM}/claims.py", "layer_delays", "layer_delay", "third_layer_delay_learning' is no "),
        (f"{ROOM}/claims.md", "figure: losses", "figure: losse", ": Section 2: 'toy-net/losse' is no figure (did"),
    ],
)
def test_the_dry_run_refuses_a_new_document_with_a_misspelt_name(shared, file, old, new, told):
    path = shared.folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    # Without --configfile: Snakemake reads its files before this workflow, and names neither file nor line.
    line = refusal(shared.run(sys.executable, "-m", "snakemake", "--cores", "1", "--dry-run", "toy-net"))
    path.write_text(text)
    assert line.startswith(file) and told in line, line


def test_a_start_ends_with_the_data_the_verdicts_and_the_page(copied):
    done = copied.snakemake("--forcerun", "page")
    assert done.returncode == 0, done.stderr
    block = done.stderr.rpartition("Data: ")[2].splitlines()
    assert block[0].startswith("MNIST, ") and "Page: results/report.html" in block
