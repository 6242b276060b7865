"""Blocks of the config: what all models share, those of data sets, and the defaults of experiments."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict


class Block(BaseModel):
    """A mapping of the config with known keys only, and with values of exactly the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class DatasetSettings(Block):
    """The block of a data set, which adds the settings that its function `make` takes."""

    def contents(self) -> tuple[str, ...]:
        """Return what the data set may record as reduced (see `Record`), if only its content counts.

        Without any, the settings count: if they change, the data set is made again.
        """
        return ()

    def check(self) -> None:
        """Raise UserError if the data set cannot be made on this machine; called before the first job."""


def with_defaults(block: Any) -> Any:
    """Return an experiment's block with its defaults written into its grids, without the grids that are null.

    Malformed parts stay as they are.
    """
    if not (isinstance(block, Mapping) and isinstance(defaults := block.get("defaults", {}), Mapping)):
        return block
    without = {name: value for name, value in block.items() if name != "defaults"}
    if isinstance(grids := block.get("grids"), Mapping):
        without["grids"] = {name: _merge(defaults, grid) for name, grid in grids.items() if grid is not None}
    return without


def _merge(below: Any, above: Any) -> Any:
    """Merge two mappings at any depth; any other value of `above` replaces one of `below`."""
    if not (isinstance(below, Mapping) and isinstance(above, Mapping)):
        return above
    return {**below, **above, **{key: _merge(below[key], above[key]) for key in below.keys() & above.keys()}}
