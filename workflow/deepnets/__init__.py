"""How depth and initialisation shape deep networks: experiments, the mathematics that they share, and documents.

For notebooks, it offers seven functions. `help(deepnets.train)` explains one,
`help("deepnets.experiments.hierarchy.settings")` the settings of an experiment, and
`help("deepnets.experiments.hierarchy.run")` the metrics in its table.

>>> deepnets.table("classifier").query("metric == 'test_accuracy'").groupby("depth")["value"].max()
>>> deepnets.verdicts("003-hierarchy")[["claim", "statement", "printed", "ours", "verdict"]]
>>> own = deepnets.train("hierarchy", scale=1e-9, seeds=4, features=1000, learning_rate=30)
>>> deepnets.draw("003-hierarchy/training_loss", own)
>>> deepnets.judge("003-hierarchy/strong_modes_come_first", own)["verdict"]
>>> deepnets.reach("balancedness/unequal_layers_learn_exponentially")[["name", "own", "step", "new", "verdict"]]
>>> deepnets.why("results/tables/hierarchy.parquet")
"""

from typing import TYPE_CHECKING

# Before all modules of this package: it makes Python check their bytecode.
import reproduce  # noqa: F401

if TYPE_CHECKING:
    from reproduce.notebook import draw, judge, reach, table, train, verdicts, why

__all__ = ["draw", "judge", "reach", "table", "train", "verdicts", "why"]


def __getattr__(name: str) -> object:
    """Import a function for notebooks at its first use: every job imports this file, and none needs them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from reproduce import notebook

    return getattr(notebook, name)


def __dir__() -> list[str]:
    """Offer the functions for notebooks, not the modules that they import."""
    return __all__
