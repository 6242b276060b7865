"""Check the style of all figures, column.mplstyle."""

import re
from difflib import get_close_matches
from pathlib import Path

# Here, # begins a comment, except between quotes; the group keeps quoted text.
_COMMENT = re.compile(rb'("[^"]*")|#.*')


def style_fault(path: Path | str) -> str:
    """Return "line: the first error" of a Matplotlib style; "" if it has none. Matplotlib itself would only warn."""
    # Imported here because a plan needs it only after an edit of the style.
    import matplotlib

    for number, line in enumerate(Path(path).read_bytes().splitlines(), 1):
        key, colon, value = (part.strip() for part in _COMMENT.sub(rb"\1", line).decode().partition(":"))
        if not key:
            continue
        if key not in matplotlib.rcParams or not colon:
            near = ", ".join(get_close_matches(key, matplotlib.rcParams)) or "the keys of matplotlib.rcParams"
            return f"{number}: {key!r} is no setting of Matplotlib; allowed: {near}"
        try:
            matplotlib.RcParams({key: value.strip('"')})
        except ValueError as error:
            return f"{number}: {error}"
    return ""
