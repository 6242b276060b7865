"""The config as snakemake puts it together from its files."""

from collections.abc import Sequence
from pathlib import Path

import yaml
from snakemake.utils import update_config

from workflow.deepnets.errors import UserError

DEFAULT = Path("config.yaml")


def read(overriding: Sequence[Path]) -> dict:
    """Return config.yaml with further files on top, as for `snakemake --configfile`.

    Raises UserError where a file is missing or no YAML.
    """
    config: dict = {}
    for path in [DEFAULT, *overriding]:
        try:
            update_config(config, yaml.safe_load(path.read_text()))
        except (OSError, yaml.YAMLError) as error:
            raise UserError(f"{path} cannot be read: {error}") from error
    return config
