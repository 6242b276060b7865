"""Read the config as Snakemake does, from its files and its command line."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import yaml
from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError
from snakemake.utils import update_config

from reproduce.errors import UserError

DEFAULT = Path("config.yaml")
# At thousands, the loader would end the process. No config of an experiment needs ten.
_DEEPEST = 50


# The loader written in C takes a twentieth of the time.
class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Refuses a key that a mapping contains twice; of two equal keys, YAML would keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        """Return a mapping."""
        seen = set()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                twice = f"the key {key.value!r} is given twice; remove the second one"
                raise yaml.MarkedYAMLError(problem=twice, problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read(overriding: Sequence[Path], entries: Sequence[str] = ()) -> dict:
    """Return config.yaml, overridden by further files and entries as by `snakemake --configfile` and `--config`.

    Raises UserError if a file is missing or has no keys, or as `check_keys` and `of_command_line` do.
    """
    config: dict = {}
    for path in [DEFAULT, *overriding]:
        try:
            check_keys([path])
            update_config(config, load_configfile(path))
        except (OSError, WorkflowError) as error:
            raise UserError(f"{path.absolute()} cannot be read: {error}") from error
    if "experiments" not in config:
        raise UserError(f"{DEFAULT.absolute()} has no key 'experiments': it is no config of this workflow")
    update_config(config, of_command_line(entries))
    return config


def check_keys(paths: Iterable[Path | str]) -> None:
    """Raise UserError for a config file that is no YAML, has no keys, or contains a key twice (with its line)."""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            content = load(file, f"{path}: ")
        if not isinstance(content, Mapping):
            raise UserError(f"{path} should be keys with values, such as `experiments:`; it is {content!r:.60}")
        if not isinstance(blocks := content.get("experiments", {}), Mapping):
            raise UserError(f"{path}: experiments: {blocks!r:.60}: should be keys with values, a block per experiment")


def of_command_line(entries: Iterable[str]) -> dict:
    """Return the config of `--config KEY=YAML …`, with values read as in a file (Snakemake reads nested ones as text).

    Raises UserError if a value is not YAML, or contains a key twice.
    """
    config: dict = {}
    for entry in entries:
        key, _, text = entry.partition("=")
        # Snakemake also removes quotes around a value.
        update_config(config, {key: load(text.strip("'\""), f"--config {entry}: ")})
    return config


def load(content: IO | str, place: str) -> Any:
    """Return the content of a YAML text; raises UserError, which begins with the place, as `check_keys` does."""
    opened: list[str | None] = []
    try:
        for event in yaml.parse(content, _Loader):
            fault = f"brackets or keys are nested more than {_DEEPEST} deep" if len(opened) > _DEEPEST else ""
            if isinstance(event, yaml.CollectionStartEvent):
                opened.append(event.anchor)
            elif isinstance(event, yaml.CollectionEndEvent):
                opened.pop()
            elif isinstance(event, yaml.AliasEvent) and event.anchor in opened:
                fault = f"*{event.anchor} stands within &{event.anchor}, so that this contains itself"
            if fault:
                raise yaml.MarkedYAMLError(problem=fault, problem_mark=event.start_mark)
        if not isinstance(content, str):
            content.seek(0)
        return yaml.load(content, _Loader)
    except (yaml.YAMLError, ValueError) as error:  # A ValueError: no UTF-8, a date or a number that Python lacks.
        raise UserError(f"{place}{' '.join(str(error).split())}") from error
