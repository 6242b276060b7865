"""Start a job from the sources beside this file, whatever library the environment has installed.

`pip install -e .` names the folder of one checkout, but several checkouts may share an environment, and the environment
of `snakemake --sdm conda` contains no library. Outside a checkout, jobs start with `python -m reproduce.jobs`.
"""

import gc
import runpy
import sys
from pathlib import Path

# In this block, because every fingerprint contains the code that starts a module.
if __name__ == "__main__":
    # Until all modules are imported (reproduce/jobs/isolation.py), since these are never freed.
    gc.disable()
    sys.path.insert(0, str(Path(__file__).parent))
    # This package finds its own modules, and the packages beside it, from here on.
    import reproduce  # noqa: F401

    # No other file in this folder may be imported in place of an installed package.
    del sys.path[0]
    runpy.run_module("reproduce.jobs", run_name="__main__", alter_sys=True)
