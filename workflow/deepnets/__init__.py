"""How depth and initialisation shape deep networks: experiments, the mathematics that they share, and documents.

For notebooks, it offers `table`, `verdicts`, `train`, `draw` and `judge` (see reproduce/notebook.py).
"""

from typing import TYPE_CHECKING

# Before all modules of this package: it makes Python check their bytecode.
import reproduce  # noqa: F401

if TYPE_CHECKING:
    from reproduce.notebook import draw, judge, table, train, verdicts

__all__ = ["draw", "judge", "table", "train", "verdicts"]


def __getattr__(name: str) -> object:
    """Import a function for notebooks at its first use: every job imports this file, and none needs them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from reproduce import notebook

    return getattr(notebook, name)
