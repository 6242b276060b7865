"""A user's own environment changes no result and stops no job."""

from pathlib import Path

import matplotlib
import pytest
from fontTools.ttLib import TTFont

from conftest import Project, digests

pytestmark = pytest.mark.slow
FIGURE = "results/figures/own/values.pdf"
DOCUMENT = 'ID = "own"\nTITLE = "Own"\nSOURCE = "a test"\nABOUT = "One figure."\n'
MODULE = '''
"""A figure that needs few jobs."""

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
def project_with_figure(tmp_path_factory):
    """A checkout in which one figure was drawn."""
    project = Project(tmp_path_factory.mktemp("drawn"))
    document = project.folder / "workflow/deepnets/documents/own"
    (document / "figures").mkdir(parents=True)
    (document / "__init__.py").write_text(DOCUMENT)
    (document / "figures/values.py").write_text(MODULE)
    done = project.snakemake(FIGURE)
    assert done.returncode == 0, done.stderr
    return project


def test_a_user_s_variables_settings_and_fonts_change_no_result(project_with_figure, tmp_path, tmp_path_factory):
    own = tmp_path_factory.mktemp("own")
    # Python runs this file at every start if it finds it.
    stop = "import sys\nif 'workflow/launch.py' in sys.orig_argv: sys.exit('runs before the job')\n"
    (own / "sitecustomize.py").write_text(stop)
    (own / "matplotlibrc").write_bytes(b"lines.linewidth: 9\n# Gr\xfcn\n")
    variables = {
        **{"PYTHONPATH": str(own), "PYTHONSAFEPATH": "1", "PYTHONOPTIMIZE": "2"},
        **{"OPENBLAS_CORETYPE": "Prescott", "ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE"},
        # Jupyter sets this one.
        **{"MPLBACKEND": "module://matplotlib_inline.backend_inline", "MATPLOTLIBRC": str(own / "matplotlibrc")},
        **{"HOME": str(own), "MPLCONFIGDIR": str(own / "matplotlib")},
    }
    font = TTFont(Path(matplotlib.get_data_path(), "fonts/ttf/DejaVuSerif.ttf"))
    for name in font["name"].names:
        name.string = name.toUnicode().replace("Serif", "Sans")
    font["OS/2"].usWeightClass = 300
    (own / ".fonts").mkdir()
    font.save(own / ".fonts/light.ttf")
    project = project_with_figure.copy(tmp_path)
    done = project.snakemake("--forceall", FIGURE, **variables)
    assert done.returncode == 0, done.stderr
    assert digests(project) == digests(project_with_figure)
