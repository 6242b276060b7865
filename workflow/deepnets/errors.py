"""Faults that the user can mend, told without a traceback."""

import io
import sys
from collections.abc import Callable


class UserError(Exception):
    """What is wrong, where, and what is allowed or to be done, in one message."""


def exit_plainly(main: Callable[[], None]) -> None:
    """Run a program; end it with the bare message, exit status 1, on a fault that the user can mend."""
    # A locale without our letters must not end it: they are written as escapes, as Python does on stderr.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        main()
    except UserError as error:
        sys.exit(f"error: {error}")
