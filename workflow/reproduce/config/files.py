"""Read the config as Snakemake does, from its files and its command line."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import yaml
from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError
from snakemake.utils import update_config

from reproduce.errors import UserError

DEFAULT = Path("config.yaml")
# The loader written in C takes a twentieth of the time.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Numbers that YAML 1.1 reads in base 60 or 8.
_NOT_DECIMAL = re.compile(r"[-+]?([0-9][0-9_]*(:[0-9_.]+)+|0[0-7_]+)")


def read(overriding: Sequence[Path]) -> dict:
    """Return config.yaml, overridden by further files as by `snakemake --configfile`.

    Raises UserError if a file is missing or has no keys, or if YAML misreads a value (see `check_keys`).
    """
    config: dict = {}
    for path in [DEFAULT, *overriding]:
        try:
            check_keys([path])
            update_config(config, load_configfile(path))
        except (OSError, ValueError, WorkflowError) as error:
            raise UserError(f"{path} cannot be read: {error}") from error
    return config


def check_keys(paths: Iterable[Path | str]) -> None:
    """Raise UserError, one line per fault, if YAML reads something else than the user most likely meant.

    YAML keeps the last of two equal keys, and reads 16:40 as 1000 (base 60) and 01000 as 512 (octal).

    paths: files that `load_configfile` reads.
    """
    faults = []
    for path in map(Path, paths):
        place = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        text = path.read_text(encoding="utf-8")
        try:
            # Snakemake also reads JSON with tabs, which is not YAML; its texts contain none.
            tree = yaml.compose(text.replace("\t", " ") if _is_json(text) else text, _LOADER)
        except yaml.YAMLError as error:
            faults.append(_fault_of_yaml(error, str(place)))
        else:
            faults += [f"{place}:{key.start_mark.line + 1}: {fault}" for key, fault in _find_misread_nodes(tree)]
    if faults:
        raise UserError("\n".join(faults))


def _is_json(text: str) -> bool:
    with suppress(ValueError):
        return bool(json.loads(text))
    return False


def _fault_of_yaml(error: yaml.YAMLError, place: str) -> str:
    """Return a sentence with the line at which YAML cannot go on."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return f"{place}: no YAML: {error}"
    began = f" ({error.context} that begins in line {error.context_mark.line + 1})" if error.context_mark else ""
    return f"{place}:{error.problem_mark.line + 1}: no YAML: {error.problem}{began}"


def of_command_line(entries: Iterable[str]) -> dict:
    """Return the config of `--config KEY=YAML …`, with values read as in a file (Snakemake reads nested ones as text).

    Raises UserError if a value is not YAML, or if YAML misreads it (see `check_keys`).
    """
    config: dict = {}
    for entry in entries:
        key, _, text = entry.partition("=")
        try:
            # Snakemake also removes quotes around a value.
            tree = yaml.compose(text.strip("'\""), _LOADER)
            value = yaml.load(text.strip("'\""), _LOADER)
        except yaml.YAMLError as error:
            raise UserError(f"--config {entry}: no YAML: {error}") from error
        if faults := [f"--config: {fault}" for _, fault in _find_misread_nodes(tree, key)]:
            raise UserError("\n".join(faults))
        if twice := _find_shared(config, {key: value}):
            raise UserError(f"--config: {twice} is given twice; keep one of the two")
        update_config(config, {key: value})
    return config


def _find_shared(config: Mapping, other: Mapping) -> str:
    """Return a key (a.b) that two configs set and that is not a mapping in both; "" if there is none."""
    for key in config.keys() & other.keys():
        if not (isinstance(config[key], Mapping) and isinstance(other[key], Mapping)):
            return key
        if below := _find_shared(config[key], other[key]):
            return f"{key}.{below}"
    return ""


def _find_misread_nodes(
    node: yaml.Node | None, path: str = "", above: frozenset[int] = frozenset()
) -> Iterator[tuple[yaml.Node, str]]:
    """Yield each node that YAML misreads, with a message.

    path: the key of the node; above: the identities of the nodes that contain it.
    """
    if node is not None and id(node) in above:
        yield node, f"{path or '(top level)'} refers to itself (*NAME inside of what &NAME marks); write it out"
        return
    above |= {id(node)}
    if isinstance(node, yaml.ScalarNode) and not node.style and _NOT_DECIMAL.fullmatch(node.value):
        value = yaml.load(node.value, _LOADER)
        # YAML reads 08:aa as text.
        if isinstance(value, int | float):
            message = f"YAML reads {node.value} as {value}; write {value}, or {node.value!r} for a text"
            yield node, f"{path or '(top level)'}: {message}"
    if isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _find_misread_nodes(each, path, above)
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            place = f"{path}.{key.value}".lstrip(".")
            if place in seen:
                yield key, f"{place} is given twice; keep one of the two"
            seen.add(place)
            yield from _find_misread_nodes(value, place, above)
