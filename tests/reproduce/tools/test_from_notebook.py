from pathlib import Path

import pytest
import yaml

from conftest import ROOT
from reproduce.errors import UserError
from reproduce.tools.from_notebook import Notebook
from reproduce.tools.new import GUIDE, files_of

NOTEBOOK = """\
# %% [markdown]
# # Depth delays
# A net learns 1.
# Deeper nets learn later.

# %%
import deepnets
{run}
SPEC = {{"depth": [2, 3], "scale": 0.1, "spread": 0.05, "learning_rate": 0.02, "steps": 300, "seed": 0}}
NETS = api.Selection("toy_notes")
{figure}
unused = deepnets.verdicts("toy-notes")


# %%
@api.measure
def unused_measure(rows):
    return rows


def last(rows):
    return api.recordings(rows, "train_loss")[:, -1, 0]


claim = api.Claim(
    name="it_learns", place="a notebook", kind="bound", statement="Both nets learn " "the target.", ours=True,
    main="its title",
    quantity="final training loss", measure=api.measure(last, NETS.but(depth=[2, 3])),
    criterion=api.Every(greatest=1), because="A net that outputs 0 has a half.",
)
"""


def notebook() -> str:
    """Return a notebook with the example's `run` and figure."""
    files = files_of((ROOT / GUIDE).read_text(encoding="utf-8"), "toy_notes")
    text = {path.name: content for path, content in files.items()}
    figure = text["figures.py"].replace("from deepnets.documents.toy_notes.claims import NETS\n", "")
    return NOTEBOOK.format(run=text["run.py"], figure=figure)


def files_from(folder: Path, text: str) -> dict[str, str]:
    path = folder / "own.py"
    path.write_text(text, encoding="utf-8")
    return {"/".join(each.parts[-3:]): content for each, content in Notebook(path).files("toy_notes").items()}


def test_each_part_gets_what_it_needs_and_nothing_else(tmp_path):
    files = files_from(tmp_path, notebook())
    assert yaml.safe_load(files.pop("config.yaml")) == {
        "toy_notes": {
            **{"scale": 0.1, "spread": 0.05, "learning_rate": 0.02, "steps": 300},
            "grids": {"main": {"axes": {"depth": [2, 3], "seeds": 4}}},
        }
    }
    run, claims = files["experiments/toy_notes/run.py"], files["documents/toy_notes/claims.py"]
    assert run.startswith("import numpy as np\n\nfrom reproduce import api\n") and "@np.errstate(" in run
    assert "def last(rows)" in claims and "unused" not in claims and "TABLES = ('toy_notes',)" in claims
    assert "'it_learns': (api.measure(last, NETS.but(depth=[2, 3])), api.Every(greatest=1))," in claims
    assert "def losses" in files["documents/toy_notes/figures.py"]
    statements = files["documents/toy_notes/claims.md"]
    assert "### it_learns (bound, ours)\nBoth nets learn the target.\n- quantity: final training loss\n" in statements
    assert "- main: its title\n" in statements
    assert all("deepnets" not in content for content in files.values())


@pytest.mark.slow
def test_its_document_works(project):
    (project.folder / "own.py").write_text(notebook())
    project.configfiles = ("config.yaml",)
    wrote = project.run("python", "-m", "reproduce.tools.new", "document", "toy_notes", "--from", "own.py")
    assert wrote.returncode == 0 and "a block at the end of config.yaml" in wrote.stdout, wrote.stderr
    done = project.snakemake("toy-notes")
    assert done.returncode == 0, done.stderr
    page = (project.folder / "results/report-toy-notes.html").read_text()
    assert "Both nets learn the target." in page and "Training loss against updates" in page


def test_tables_of_claims_are_found_without_figures(tmp_path):
    text = notebook().replace(") -> Figure", ")").replace("def run", "def other")
    files = files_from(tmp_path, text)
    assert "TABLES = ('toy_notes',)" in files["documents/toy_notes/claims.py"] and len(files) == 2


def test_selections_of_other_documents_are_written_out():
    files = Notebook(ROOT / "notebooks/your_own_claim.py").files("own_claim")
    (claims,) = (content for path, content in files.items() if path.name == "claims.py")
    assert "MAIN = api.Selection('hierarchy', " in claims and "TABLES = ('hierarchy',)" in claims
    assert {path.name for path in files} == {"claims.md", "claims.py"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("api.Claim(", "dict(", "each claim is written as api.Claim"),
        ("criterion=", "criteria=", "each claim is written as api.Claim"),
        ("SPEC = {", "spec = {", "`run` needs its settings as SPEC"),
        ('because="A', 'because=SPEC["A"] + "A', "the claim 'it_learns' needs because="),
        ('rows, "train_loss")[', "deepnets.table('toy_notes'), 'train_loss')[", "which only notebooks can"),
        ("import deepnets\n", "def (:\n", "no notebook in percent format"),
        (
            'NETS = api.Selection("toy_notes")',
            "from deepnets.documents.classifier.measures import accuracy as NETS",
            "no sel",
        ),
    ],
)
def test_what_cannot_be_taken_over_is_named(tmp_path, old, new, message):
    text = notebook()
    assert old in text
    with pytest.raises(UserError, match=message):
        files_from(tmp_path, text.replace(old, new))
