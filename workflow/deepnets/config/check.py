"""What a config may say: the settings of all experiments in one model, its check, and its JSON schema for editors."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError, create_model
from pydantic_core import PydanticKnownError

from workflow.deepnets.code.modules import PACKAGE
from workflow.deepnets.config.blocks import Block, Experiment
from workflow.deepnets.config.datasets import Mnist, Whitening
from workflow.deepnets.config.faults import lines_of
from workflow.deepnets.data.mnist import FULL, SUBSET
from workflow.deepnets.errors import UserError

_FOLDER = Path(__file__).parents[1]
# Columns of every table, and the part of each path that no config names.
_RESERVED = {"experiment", "seed", "step", "metric", "index", "value"}


def check(config: Mapping) -> None:
    """Raise UserError, one line per fault, unless the config says what it may say."""
    _refuse_halves(config.get("experiments"))
    for experiment in schema()["properties"]["experiments"]["properties"]:
        _refuse_unclear(experiment)
    try:
        _model().model_validate(config, context=_context(config))
    except ValidationError as error:
        raise UserError("\n".join(lines_of(error, config, schema()))) from None


def _context(config: Mapping) -> dict[str, str]:
    """Say what values of several blocks depend on: which MNIST the source gives, the whole set if it is not known."""
    mnist = config.get("mnist")
    embedded = isinstance(mnist, Mapping) and mnist.get("source") == "embedded"
    return {"mnist": SUBSET if embedded else FULL}


def axis_types(experiment: str) -> dict[str, str]:
    """Return the JSON type of each axis of an experiment: integer, number, string or boolean."""
    *_, axes = _levels(experiment)
    return {"seed" if axis == "seeds" else axis: _single(value)["type"] for axis, value in axes["properties"].items()}


@cache
def schema() -> dict:
    """Return the JSON schema of config.yaml, without references."""
    written = _model().model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "config.yaml",
        **_without_references(written, written["$defs"]),
    }


@cache
def _model() -> type[Block]:
    """Return the model of the whole config, with every experiment that has settings."""
    blocks = {name: _settings(name) for name in sorted(_experiments_with("run") & _experiments_with("settings"))}
    experiments = create_model(
        "Experiments",
        __base__=Block,
        **{name: (block | None, Field(None, description=block.__doc__)) for name, block in blocks.items()},
    )
    return create_model(
        "Config",
        __base__=Block,
        __doc__="Every grid, width, rate, step count and seed of the reproduction.",
        mnist=(Mnist, Field(description=Mnist.__doc__)),
        whitening=(Whitening, Field(description=Whitening.__doc__)),
        experiments=(
            Annotated[experiments, BeforeValidator(_not_empty)],
            Field(description="One block per experiment; null drops it.", json_schema_extra={"minProperties": 1}),
        ),
    )


def _settings(experiment: str) -> type[Experiment]:
    found = getattr(import_module(f"{PACKAGE}.experiments.{experiment}.settings"), "Settings", None)
    if not (isinstance(found, type) and issubclass(found, Experiment)):
        raise UserError(f"{_path(experiment, 'settings')}: there is no class Settings(Experiment[…]) in it")
    return found


def _refuse_halves(blocks: object) -> None:
    """Raise UserError for an experiment of the config that has settings only, or only what runs it."""
    with_run, with_settings = _experiments_with("run"), _experiments_with("settings")
    for name in blocks if isinstance(blocks, Mapping) else ():
        if name in with_run ^ with_settings:
            there, missing = ("run", "settings") if name in with_run else ("settings", "run")
            raise UserError(
                f"config: experiments.{name}: {_path(name, there)} stands alone, {_path(name, missing)} is missing; "
                "an experiment needs both"
            )


def _levels(experiment: str) -> tuple[dict, dict, dict]:
    """Return what the schema says of an experiment's block, of each of its grids, and of a grid's axes."""
    block, _ = schema()["properties"]["experiments"]["properties"][experiment]["anyOf"]
    grid, _ = block["properties"]["grids"]["additionalProperties"]["anyOf"]
    return block, grid, grid["properties"]["axes"]


def _single(axis: dict) -> dict:
    """Return what the schema says of one value of an axis: its first case, where lists of values are allowed too."""
    return axis.get("oneOf", [axis])[0]


def _refuse_unclear(experiment: str) -> None:
    """Raise UserError for settings that leave open what a spec holds, or where a point's results lie."""
    block, grid, axes = _levels(experiment)
    settings = block["properties"].keys() | grid["properties"].keys()
    faults = [
        f"{name!r} has a default, which no spec would hold; leave it to the config to say its value"
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


def _experiments_with(module: str) -> set[str]:
    return {path.parent.name for path in (_FOLDER / "experiments").glob(f"[!_]*/{module}.py")}


def _path(experiment: str, module: str) -> str:
    return f"{PACKAGE.replace('.', '/')}/experiments/{experiment}/{module}.py"


def _not_empty(blocks: object) -> object:
    if blocks == {}:
        raise PydanticKnownError("too_short", {"field_type": "Dictionary", "min_length": 1, "actual_length": 0})
    return blocks


def _without_references(fragment: object, definitions: dict) -> object:
    """Write out what a fragment refers to; leave out pydantic's titles, and defaults, which no job is ever given."""
    if isinstance(fragment, list):
        return [_without_references(part, definitions) for part in fragment]
    if not isinstance(fragment, dict):
        return fragment
    if "$ref" in fragment:
        fragment = {**definitions[fragment["$ref"].rpartition("/")[2]], **fragment}
    return {
        key: _without_references(part, definitions)
        for key, part in fragment.items()
        # A setting may itself be called title or default; its fragment is a mapping.
        if key not in ("$defs", "$ref") and not (key in ("title", "default") and not isinstance(part, dict))
    }
