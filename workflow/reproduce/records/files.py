"""Write files that appear whole or not at all, and find the digests of files, which records contain."""

import hashlib
import os
import secrets
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any

from reproduce.errors import UserError

Paths = Sequence[Path | str]
# The folder of both packages. In a checkout, the repository is the folder above it.
_PACKAGES = Path(__file__).resolve().parents[2]
REPOSITORY = _PACKAGES.parent if (_PACKAGES / "launch.py").is_file() else _PACKAGES


@contextmanager
def replacing(path: Path | str) -> Generator[Path]:
    """Yield a temporary file in the folder of `path`; rename it to `path` if the block succeeds.

    If the block fails or its process is killed, `path` stays as it was. A job first deletes the temporary files that
    killed jobs left. Raises UserError if the file cannot be written.
    """
    path = Path(path)
    # The suffix stays last: programs infer the format from it.
    temporary = path.with_name(f".{path.stem}.{secrets.token_hex(4)}.partial{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for partial in path.parent.glob(f".{escape(path.stem)}.*.partial{path.suffix}"):
            partial.unlink(missing_ok=True)
        temporary.touch()
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.replace(path)
    except OSError as error:
        if error.filename and Path(error.filename) not in (temporary, *path.parents):
            # The error is about another file, which the block reads.
            raise
        raise UserError(f"cannot write {path}: {error.strerror or error}; nothing was left in its place") from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def sha256_of(path: Path | str) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(paths: Paths, digest: Callable[[Any], str]) -> str:
    """Return the digest of one file, or the SHA-256 of the digests of several files, in their order."""
    if len(paths) == 1:
        return digest(paths[0])
    return hashlib.sha256("".join(map(digest, paths)).encode()).hexdigest()


@contextmanager
def guard_inputs(inputs: Mapping[str, Paths]) -> Generator[dict[str, str]]:
    """Yield name → digest of the inputs of a job, for a block that reads them.

    Raises UserError if an input is missing, or has changed when the block ends: the record would name another input.
    """
    before = _digests(inputs)
    yield before
    after = _digests(inputs)
    if changed := [str(paths[0]) for name, paths in inputs.items() if after[name] != before[name]]:
        raise UserError(f"{', '.join(changed)} changed while this job read it; start snakemake again")


def name_of(path: str) -> str:
    """Return the name of a file in records: its path from the folder of both packages."""
    return os.path.relpath(path, _PACKAGES)


def follow(path: Path, *links: Path) -> tuple[Path, ...]:
    """Return the links on the way to a file, and at last the file that they lead to."""
    for part in reversed((path, *path.parents)):
        # Linux follows 40.
        if len(links) < 40 and part.is_symlink():
            return follow(part.parent / os.readlink(part) / path.relative_to(part), *links, part)
    return (*links, path)


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Return name → digest of what code read or asked about: a result depends on it, as it does on the code.

    A link counts by its target, a folder by the names and kinds of what it contains, and `./NAME` by the kind and size
    of a file. If there is nothing, the digest is "".
    """
    return {name: _digest_of_opened(_PACKAGES / name, asked=name.startswith("./")) for name in names}


def _digest_of_opened(path: Path, *, asked: bool) -> str:
    if path.is_symlink():
        text = os.readlink(path)
    elif path.is_dir():
        # Python makes its folder of bytecode at the first import.
        found = [] if asked else [each for each in os.scandir(path) if each.name != "__pycache__"]
        text = "\n".join(sorted(f"{each.name} {each.is_dir()} {each.is_file()} {each.is_symlink()}" for each in found))
    elif not path.is_file():
        return ""
    elif asked:
        # A module counts by its code, and `Path(__file__).resolve()` asks for its size.
        text = "module" if path.suffix == ".py" else str(path.stat().st_size)
    else:
        return sha256_of(path)
    return hashlib.sha256(os.fsencode(text)).hexdigest()


def _digests(inputs: Mapping[str, Paths]) -> dict[str, str]:
    try:
        return {name: digest_of(paths, sha256_of) for name, paths in inputs.items()}
    except FileNotFoundError as error:
        raise UserError(f"{error.filename} is missing; make it with: snakemake --cores 1 {error.filename}") from None
