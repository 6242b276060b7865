"""What a user's own environment says changes no job, and stops none."""

from pathlib import Path

import matplotlib
import pytest
from conftest import Project, digests
from fontTools.ttLib import TTFont

pytestmark = pytest.mark.slow
FIGURE = "results/figures/own/values.pdf"
DOCUMENT = 'ID = "own"\nTITLE = "Own"\nSOURCE = "a test"\nABOUT = "One figure."\n'
MODULE = '''
"""A figure whose jobs are few."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure


def values(regression: pd.DataFrame) -> Figure:
    """Values, with a title in a weight that matplotlib's own fonts lack."""
    figure, axis = plt.subplots()
    axis.plot(regression["value"])
    axis.set_title("values", weight=300)
    return figure
'''


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A checkout in which one figure was drawn."""
    project = Project(tmp_path_factory.mktemp("drawn"))
    document = project.folder / "workflow/deepnets/documents/own"
    (document / "figures").mkdir(parents=True)
    (document / "__init__.py").write_text(DOCUMENT)
    (document / "figures/values.py").write_text(MODULE)
    done = project.snakemake(FIGURE)
    assert done.returncode == 0, done.stderr
    return project


def made_again(drawn, folder, **variables):
    """What all jobs make where the variables are set."""
    project = drawn.copy(folder)
    done = project.snakemake("--forceall", FIGURE, **variables)
    assert done.returncode == 0, done.stderr
    return digests(project)


def test_variables_of_python_change_nothing(drawn, tmp_path, tmp_path_factory):
    # Python runs it at every start, be it found.
    own = tmp_path_factory.mktemp("own") / "sitecustomize.py"
    own.write_text("import sys\nif 'workflow.deepnets.jobs' in sys.orig_argv: sys.exit('runs before the job')\n")
    made = made_again(drawn, tmp_path, PYTHONPATH=str(own.parent), PYTHONSAFEPATH="1", PYTHONOPTIMIZE="2")
    assert made == digests(drawn)


def test_variables_of_numerical_libraries_change_nothing(drawn, tmp_path):
    steering = {"OPENBLAS_CORETYPE": "Prescott", "ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE"}
    assert made_again(drawn, tmp_path, **steering) == digests(drawn)


def test_settings_of_matplotlib_change_nothing(drawn, tmp_path, tmp_path_factory):
    own = tmp_path_factory.mktemp("own") / "matplotlibrc"
    own.write_bytes(b"lines.linewidth: 9\n# Gr\xfcn\n")
    # Jupyter sets the first.
    settings = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "MATPLOTLIBRC": str(own)}
    assert made_again(drawn, tmp_path, **settings) == digests(drawn)


def test_fonts_of_the_machine_change_nothing(drawn, tmp_path, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    font = TTFont(Path(matplotlib.get_data_path(), "fonts/ttf/DejaVuSerif.ttf"))
    for name in font["name"].names:
        name.string = name.toUnicode().replace("Serif", "Sans")
    font["OS/2"].usWeightClass = 300
    (home / ".fonts").mkdir()
    font.save(home / ".fonts/light.ttf")
    variables = {"HOME": str(home), "MPLCONFIGDIR": str(home / "matplotlib")}
    assert made_again(drawn, tmp_path, **variables) == digests(drawn)
