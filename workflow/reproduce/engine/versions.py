"""Refuse a Snakemake that is too new. This module imports nothing of Snakemake that a newer version could lack."""

from packaging.version import parse
from snakemake import __version__
from snakemake.exceptions import WorkflowError

from reproduce.code.science import PINS, ROOT
from reproduce.records.paths import shown


def max_version(newest: str) -> None:
    """Raise WorkflowError if Snakemake's version (major.minor) is newer than the newest tested one."""
    if parse(__version__).release[:2] > parse(newest).release[:2]:
        raise WorkflowError(
            f"This is Snakemake {__version__}; {newest} is the newest version that this workflow was tested with. "
            f"Install the version that {shown(ROOT / PINS)} pins. Or test yours (pytest tests/reproduce/engine "
            "tests/workflow) and raise max_version in the Snakefile."
        )
