"""Errors that the user can correct, printed without a traceback."""

import io
import signal
import sys
from collections.abc import Callable


class UserError(Exception):
    """An error that the user can correct; its message says what is wrong, where, and what is allowed or to do."""


def exit_plainly(main: Callable[[], None]) -> None:
    """Run a program; at a UserError, print only its message and exit with status 1."""
    # Print letters that the locale lacks as escapes, as Python does on stderr, instead of failing.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        main()
    except UserError as error:
        sys.exit(f"error: {error}")


def run_tool(main: Callable[[], None]) -> None:
    """Run a program that people start, as `exit_plainly` does; when a reader such as `head` ends, it ends too."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    exit_plainly(main)
