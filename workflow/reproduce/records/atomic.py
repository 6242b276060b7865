"""Write files that appear whole or not at all."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from reproduce.errors import UserError


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
