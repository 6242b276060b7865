"""The config as snakemake puts it together from its files."""

from collections.abc import Sequence
from pathlib import Path

from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError
from snakemake.utils import update_config

from workflow.deepnets.errors import UserError

DEFAULT = Path("config.yaml")


def read(overriding: Sequence[Path]) -> dict:
    """Return config.yaml with further files on top, as for `snakemake --configfile`.

    Raises UserError where a file is missing or holds no keys.
    """
    config: dict = {}
    for path in [DEFAULT, *overriding]:
        try:
            update_config(config, load_configfile(path))
        except (OSError, ValueError, WorkflowError) as error:
            raise UserError(f"{path} cannot be read: {error}") from error
    return config
