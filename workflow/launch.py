"""Start a job from the sources beside this file, whatever library the environment has installed.

`pip install -e .` names the folder of one checkout, but several checkouts may share an environment, and the environment
of `snakemake --sdm conda` contains no library. Outside a checkout, jobs start with `python -m reproduce.jobs`.
"""

import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
# The modules of the package are found beside it from here on.
from reproduce.jobs.hashing import restart_without_random_hashes

# No other file in this folder may be imported in place of a package.
del sys.path[0]
# Before the other imports, which take most of a start.
restart_without_random_hashes()
runpy.run_module("reproduce.jobs", run_name="__main__", alter_sys=True)
