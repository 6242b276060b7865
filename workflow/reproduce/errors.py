"""Errors that the user can correct, printed without a traceback."""

import io
import os
import re
import signal
import sys
from collections.abc import Callable, Collection, Iterable


class UserError(Exception):
    """An error that the user can correct; its message says what is wrong, where, and what is allowed or to do."""


def suggest(name: str, known: Iterable[str]) -> str:
    """Return " (did you mean …?)" with the first known name that begins so, or the most similar one; "" if none is."""
    # Imported here: jobs without an error need none of it.
    import difflib

    known = list(known)
    close = [each for each in known if name and each.startswith(name)] or difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def check_name(name: object, kind: str, known: Collection[str], where: str = "") -> None:
    """Raise UserError for a mistyped name.

    kind: what the name should be, such as "metric"
    known: what is allowed
    where: what contains the name; by default, the line of the document or the experiment that is running
    """
    if name in known:
        return
    from traceback import extract_stack

    frames = [frame for frame in extract_stack() if re.search("/(documents|experiments)/", frame.filename)]
    where = where or "".join(f"{os.path.relpath(frame.filename)}:{frame.lineno}: " for frame in frames[-1:])
    allowed = sorted(known)
    raise UserError(f"{where}{name!r} is no {kind}{suggest(str(name), allowed)}; allowed: {', '.join(allowed)}")


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
