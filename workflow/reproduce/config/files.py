"""Read the config as Snakemake does, from its files and its command line."""

import re
from collections.abc import Iterable, Iterator, Sequence
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
            update_config(config, load_configfile(path))
        except (OSError, ValueError, WorkflowError) as error:
            raise UserError(f"{path} cannot be read: {error}") from error
    check_keys([DEFAULT, *overriding])
    return config


def check_keys(paths: Iterable[Path | str]) -> None:
    """Raise UserError, one line per fault, if YAML reads something else than the user most likely meant.

    YAML keeps the last of two equal keys, and reads 16:40 as 1000 (base 60) and 01000 as 512 (octal).

    paths: files that `load_configfile` reads.
    """
    faults = []
    for path in map(Path, paths):
        place = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        # JSON with tabs is not YAML; Snakemake reads it as JSON.
        with suppress(yaml.YAMLError):
            tree = yaml.compose(path.read_text(encoding="utf-8"), _LOADER)
            faults += [f"{place}:{key.start_mark.line + 1}: {fault}" for key, fault in _find_misread_nodes(tree)]
    if faults:
        raise UserError("\n".join(faults))


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
        update_config(config, {key: value})
    return config


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
