"""Check a config against one model of all experiments' settings, and its runs against what they need."""

import io
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, create_model

from reproduce.code.science import ROOT, SCIENCE, rooms_with
from reproduce.config.experiments import Needs, guessed_needs
from reproduce.config.faults import lines_of, model_in
from reproduce.config.fields import Block, DatasetSettings, Distinct
from reproduce.config.files import DEFAULT, load
from reproduce.config.inferred import inferred_model
from reproduce.errors import UserError, check_name

# Names that no axis may have: columns of every table, and the part of each path that no config names.
_RESERVED = {"experiment", "seed", "step", "metric", "index", "value"}
_NAME = re.compile("[a-z0-9_]+")


def resolve(config: Mapping) -> dict[str, dict]:
    """Return the block of each selected experiment, with its defaults written into its grids.

    Raises UserError, one line per fault, if the config is not valid.
    """
    if isinstance(only := config.get("only"), str):  # As `--config only=a,b` gives it.
        config = {**config, "only": only.replace(",", " ").split()}
    experiments = config.get("experiments")
    if not isinstance(experiments, Mapping):
        raise UserError(f"config: experiments: {experiments!r}: should be keys with values, a block per experiment")
    blocks = {name: with_defaults(block) for name, block in experiments.items() if block is not None}
    for name in sorted(blocks.keys() & _experiments()):
        model_of(name)
    try:
        # Settings of experiments may depend on the blocks of the data sets.
        config_model().model_validate({**config, "experiments": blocks}, context={"data": config.get("data")})
    except ValidationError as error:
        raise UserError("\n".join(lines_of(error, config_model(), config, "config"))) from error
    for name in blocks:
        known = (declared_blocks().get(name) or {}).get("grids") or blocks[name]["grids"]
        for grid in (each for each, content in experiments[name]["grids"].items() if content is None):
            check_name(grid, f"grid of {name} in config.yaml", known, f"config: experiments.{name}.grids: ")
    only = config["only"] or list(blocks)
    if not blocks:
        raise UserError("config: experiments: every experiment is null; allowed: 1 or more that are not")
    if missing := [name for name in only if name not in blocks]:
        raise UserError(f"config: only: {missing[0]!r} has no block below experiments; allowed: {', '.join(blocks)}")
    return {name: block for name, block in blocks.items() if name in only}


@cache
def axis_types(experiment: str) -> dict[str, str]:
    """Return the JSON type of each axis of an experiment: integer, number, string or boolean.

    Raises UserError for an axis that has another type, or a name or values that no path can have.
    """
    settings = model_of(experiment)
    grid = model_in(settings.model_fields["grids"].annotation)
    axes = model_in(grid.model_fields["axes"].annotation)
    taken = _RESERVED | settings.model_fields.keys() | grid.model_fields.keys()
    types = {}
    for name, values in axes.model_json_schema()["properties"].items():
        # The first case is a single value, if lists are allowed too.
        value = values.get("oneOf", [values])[0]
        kind, texts = value.get("type"), value.get("enum", [value.get("const", "")])
        named = kind != "string" or "pattern" in value or all(map(_NAME.fullmatch, texts))
        if name in taken or kind not in ("integer", "number", "string", "boolean") or not named:
            raise UserError(
                f"{SCIENCE}/experiments/{experiment}: axis {name!r} names columns and folders; allowed: a name that no "
                f"setting has, nor {', '.join(sorted(_RESERVED))}; and values of one type: numbers, booleans, or texts "
                "of small letters, digits and underscores (Name, or a Literal)"
            )
        types["seed" if name == "seeds" else name] = kind
    return types


@cache
def config_model() -> type[Block]:
    """Return the model of the whole config, with every experiment and every data set."""
    declared = declared_blocks()
    blocks: Any = {
        name: (model_of(name) | None if declared.get(name) else None, None) for name in sorted(_experiments())
    }
    sets: Any = {name: (settings_of_data(name), ...) for name in sorted(rooms_with("make", ROOT / SCIENCE / "data"))}
    names: Any = Literal.__getitem__(tuple(blocks))
    return create_model(
        "Config",
        __base__=Block,
        only=(Annotated[Distinct[names], Field(min_length=1)] | None, ...),
        data=(create_model("Data", __base__=Block, **sets), ...),
        experiments=(create_model("Experiments", __base__=Block, **blocks), ...),
    )


def _experiments() -> set[str]:
    return rooms_with("run", ROOT / SCIENCE / "experiments")


@cache
def model_of(experiment: str) -> type[Block]:
    """Return the model of an experiment's block; raises UserError if config.yaml does not say what it contains."""
    block = with_defaults(declared_blocks().get(experiment))
    if not isinstance(block, Mapping):
        raise UserError(
            f"{SCIENCE}/experiments/{experiment}/run.py: {DEFAULT} has no block {experiment!r} below experiments; "
            "write it: it says which axes and settings there are"
        )
    try:
        return inferred_model(block, getattr(_limits_of(experiment), "LIMITS", {}))
    except ValueError as error:
        raise UserError(f"{DEFAULT}: experiments.{experiment}: {error}") from None


def needs_of(run: Mapping) -> Needs:
    """Return what a run needs. run: its spec"""
    return getattr(_limits_of(run["experiment"]), "needs", guessed_needs)(run)


@cache
def _limits_of(experiment: str) -> Any:
    """Return the module with an experiment's limits, None if it has none."""
    if experiment not in rooms_with("limits", ROOT / SCIENCE / "experiments"):
        return None
    return import_module(f"{SCIENCE}.experiments.{experiment}.limits")


@cache
def declared_blocks() -> Mapping:
    """Return the blocks of experiments in config.yaml, which say what settings there are.

    Other config files override them, and are checked by them.
    """
    return next(filter(None, map(declared_in, (Path(), ROOT.parent, ROOT / SCIENCE))), {})


def declared_in(folder: Path) -> Mapping:
    """Return the blocks of experiments in a folder's config.yaml; none if the file is missing or of another program."""
    if not (path := folder / DEFAULT).exists():
        return {}
    text = path.read_bytes()
    # Another program's file may have tags of its own, and be no valid YAML here.
    content = load(io.BytesIO(text), f"{path}: ") if re.search(rb"^experiments\b", text, re.MULTILINE) else None
    blocks = content.get("experiments") if isinstance(content, Mapping) else None
    return blocks if isinstance(blocks, Mapping) else {}


def settings_of_data(name: str) -> type[DatasetSettings]:
    """Return the model of a data set's block."""
    return import_module(f"{SCIENCE}.data.{name}.settings").Settings


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
