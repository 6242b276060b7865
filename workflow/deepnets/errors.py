"""Errors that the user can correct, printed without a traceback."""

import io
import sys
from collections.abc import Callable


class UserError(Exception):
    """An error that the user can correct. The message names the fault, the place, and what is allowed."""


def exit_plainly(main: Callable[[], None]) -> None:
    """Run a program; if the user can correct its error, print only the message and exit with status 1."""
    # In a locale without our letters, write escapes, as Python does on stderr.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        main()
    except UserError as error:
        sys.exit(f"error: {error}")
