"""Check a config against one model of all experiments' settings; the same model gives a JSON schema for editors."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BeforeValidator, Field, ValidationError, create_model
from pydantic_core import PydanticKnownError

from reproduce.code.science import ROOT, SCIENCE, rooms_with
from reproduce.config.blocks import Block, DatasetSettings, Experiment, written_model
from reproduce.config.faults import lines_of
from reproduce.config.fields import Distinct
from reproduce.config.inferred import inferred_settings
from reproduce.errors import UserError

_FOLDER = ROOT / SCIENCE
Model = TypeVar("Model", bound=Block)
# Names that no axis may have: columns of every table, and the part of each path that no config names.
_RESERVED = {"experiment", "seed", "step", "metric", "index", "value"}


def resolve(config: Mapping) -> dict[str, dict]:
    """Return the block of each selected experiment, with its defaults written into its grids.

    Raises UserError, one line per fault, if the config is not valid.
    """
    _refuse_halves(config.get("experiments"))
    for experiment in _experiments():
        _refuse_unclear(experiment)
    # Settings of experiments may depend on the blocks of the data sets.
    context = {"data": config.get("data")}
    faults = _find_violations(_config_model(), config, schema, context)
    asked = {} if faults else _selected_blocks(config)
    # Each part is valid as written. Now check each grid for missing keys and conflicting values.
    for name, block in asked.items():
        described = partial(_describe_block, name)
        faults += _find_violations(settings_of(name), block, described, context, f"experiments.{name}")
    if faults:
        raise UserError("\n".join(faults))
    return asked


def _find_violations(
    model: type[Block], block: Mapping, described: Callable[[], dict], context: dict, place: str = ""
) -> list[str]:
    """Return one line for each place where the config, or a block of it, violates its model.

    described: returns the model's JSON schema.
    """
    try:
        model.model_validate(block, context=context)
    except ValidationError as error:
        return lines_of(error, block, described(), place)
    return []


def _selected_blocks(config: Mapping) -> dict[str, dict]:
    """Return the blocks that neither null nor `only` drops, without defaults and without the grids that are null."""
    blocks = {name: block for name, block in config["experiments"].items() if block is not None}
    only = config["only"] or list(blocks)
    if missing := [name for name in only if name not in blocks]:
        raise UserError(f"config: only: {missing[0]!r} has no block below experiments; allowed: {', '.join(blocks)}")
    if not blocks:
        raise UserError("config: experiments: every experiment is null; allowed: 1 or more that are not")
    asked = {name: _complete(block) for name, block in blocks.items() if name in only}
    if empty := [name for name, block in asked.items() if not block["grids"]]:
        raise UserError(f"config: experiments.{empty[0]}.grids: every grid is null; drop the experiment instead")
    return asked


def _complete(block: Mapping) -> dict:
    """Return an experiment's block with its defaults written into its grids, without the grids that are null."""
    defaults = block.get("defaults", {})
    grids = {name: _merge(defaults, grid) for name, grid in block["grids"].items() if grid is not None}
    return {**{name: value for name, value in block.items() if name != "defaults"}, "grids": grids}


def _merge(below: Mapping, above: Mapping) -> dict:
    """Merge two mappings at any depth; a value of `above` replaces one of `below`."""
    both = {
        key: _merge(below[key], above[key])
        for key in below.keys() & above.keys()
        if isinstance(below[key], Mapping) and isinstance(above[key], Mapping)
    }
    return {**below, **above, **both}


def dataset_settings(name: str, config: Mapping) -> DatasetSettings:
    """Return the settings of a data set in a config that `resolve` accepts."""
    model, data = _import_settings("data", name, DatasetSettings), config["data"]
    return model.model_validate(data[name], context={"data": data})


def axis_types(experiment: str) -> dict[str, str]:
    """Return the JSON type of each axis of an experiment: integer, number, string or boolean."""
    axes = _levels(experiment)[-1]
    return {"seed" if axis == "seeds" else axis: _single(value)["type"] for axis, value in axes["properties"].items()}


@cache
def schema() -> dict:
    """Return the JSON schema of config.yaml, without references. Keys of grids are optional: see `defaults`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "config.yaml",
        **_schema_of(_config_model()),
    }


@cache
def _describe_block(experiment: str) -> dict:
    """Return the JSON schema of an experiment's block, its defaults written into its grids."""
    return _schema_of(settings_of(experiment))


@cache
def _config_model() -> type[Block]:
    """Return the model of the whole config as it is written, with every experiment that has settings."""
    blocks = {name: written_model(settings_of(name)) for name in _experiments()}
    fields: Any = {name: (block | None, Field(None, description=block.__doc__)) for name, block in blocks.items()}
    experiments: Any = create_model("Experiments", __base__=Block, **fields)
    names: Any = Literal.__getitem__(tuple(blocks))
    sets = {name: _import_settings("data", name, DatasetSettings) for name in sorted(_with_module("data", "make"))}
    made: dict[str, Any] = {name: (block, Field(description=block.__doc__)) for name, block in sets.items()}
    data: Any = create_model("Data", __base__=Block, **made)
    return create_model(
        "Config",
        __base__=Block,
        __doc__="Every grid, width, rate, step count and seed of the reproduction.",
        only=(
            Annotated[Distinct[names], Field(min_length=1)] | None,
            Field(description="Experiments that run, all others are dropped; null: all that are not null."),
        ),
        data=(data, Field(description="One block per data set.")),
        experiments=(
            Annotated[experiments, BeforeValidator(_not_empty)],
            Field(description="One block per experiment; null drops it.", json_schema_extra={"minProperties": 1}),
        ),
    )


@cache
def settings_of(experiment: str) -> type[Experiment]:
    """Return the model of an experiment's block."""
    if experiment in _with_module("experiments", "settings"):
        return _import_settings("experiments", experiment, Experiment)
    block = declared_blocks().get(experiment)
    if not isinstance(block, Mapping):
        raise UserError(
            f"{_path(experiment, 'run')}: config.yaml has no block {experiment!r} below experiments; write it: it "
            "says which axes and settings there are"
        )
    return inferred_settings(_complete(block), f"config.yaml: experiments.{experiment}")


@cache
def declared_blocks() -> Mapping:
    """Return the blocks of the experiments in config.yaml that have no `settings.py`: they say what is allowed.

    Other config files override them, and are checked by them.
    """
    inferred = _with_module("experiments", "run") - _with_module("experiments", "settings")
    paths = [path for path in (Path("config.yaml"), ROOT.parent / "config.yaml") if path.exists()]
    if not (inferred and paths):
        return {}
    blocks = yaml.safe_load(paths[0].read_text(encoding="utf-8")).get("experiments") or {}
    return {name: block for name, block in blocks.items() if name in inferred}


def _import_settings(room: str, name: str, base: type[Model]) -> type[Model]:
    found = getattr(import_module(f"{SCIENCE}.{room}.{name}.settings"), "Settings", None)
    if not (isinstance(found, type) and issubclass(found, base)):
        raise UserError(f"{_path(name, 'settings', room)}: there is no class Settings({base.__name__}[…]) in it")
    return found


def _refuse_halves(blocks: object) -> None:
    """Raise UserError for an experiment that has settings and nothing to run."""
    halves = _with_module("experiments", "settings") - _with_module("experiments", "run")
    for name in blocks if isinstance(blocks, Mapping) else ():
        if name in halves:
            raise UserError(f"config: experiments.{name}: {_path(name, 'run')} is missing; an experiment needs it")


def _levels(experiment: str) -> tuple[dict, dict, dict]:
    """Return the schemas of an experiment's block, of each of its grids, and of a grid's axes."""
    block = _describe_block(experiment)
    grid = block["properties"]["grids"]["additionalProperties"]
    return block, grid, grid["properties"]["axes"]


def _single(axis: dict) -> dict:
    """Return the schema of one value of an axis: the first case, if lists are allowed too."""
    return axis.get("oneOf", [axis])[0]


def _refuse_unclear(experiment: str) -> None:
    """Raise UserError for settings that do not determine a spec or a path."""
    block, grid, axes = _levels(experiment)
    settings = block["properties"].keys() | grid["properties"].keys()
    faults = [
        f"{name!r} has a default, but a spec contains only what the config sets; remove the default, and set the value "
        "in the config"
        for level in (block, grid, axes)
        for name in level["properties"].keys() - set(level.get("required", []))
    ]
    faults += [f"{name!r} is both an axis and a setting" for name in settings & axes["properties"].keys()]
    faults += [f"an axis may not be called {name!r}" for name in _RESERVED & axes["properties"].keys()]
    for name, value in ((name, _single(axis)) for name, axis in axes["properties"].items()):
        if value.get("type") not in ("integer", "number", "string", "boolean"):
            faults.append(f"axis {name!r} has no single type; allowed: integers, numbers, texts or booleans")
        elif value["type"] == "string" and not {"const", "enum", "pattern"} & value.keys():
            faults.append(f"axis {name!r} may be any text, but names folders; allowed: Name, or a Literal")
    if faults:
        raise UserError("\n".join(f"{_path(experiment, 'settings')}: {fault}" for fault in sorted(faults)))


def _experiments() -> list[str]:
    return sorted(_with_module("experiments", "run"))


def _with_module(room: str, module: str) -> set[str]:
    return rooms_with(module, _FOLDER / room)


def _path(name: str, module: str, room: str = "experiments") -> str:
    return f"{SCIENCE}/{room}/{name}/{module}.py"


def _not_empty(blocks: object) -> object:
    if blocks == {}:
        raise PydanticKnownError("too_short", {"field_type": "Dictionary", "min_length": 1, "actual_length": 0})
    return blocks


def _schema_of(model: type[Block]) -> dict:
    """Return the JSON schema of a model, without references."""
    written = model.model_json_schema()
    return _without_references(written, written.get("$defs", {}))


def _without_references(fragment: Any, definitions: dict) -> Any:
    """Replace references by their definitions; drop pydantic's titles and its defaults, which no job uses."""
    if isinstance(fragment, list):
        return [_without_references(part, definitions) for part in fragment]
    if not isinstance(fragment, dict):
        return fragment
    if "$ref" in fragment:
        fragment = {**definitions[fragment["$ref"].rpartition("/")[2]], **fragment}
    return {
        key: _without_references(part, definitions)
        for key, part in fragment.items()
        # A setting may be named `title` or `default`; then its fragment is a mapping.
        if key not in ("$defs", "$ref") and not (key in ("title", "default") and not isinstance(part, dict))
    }
