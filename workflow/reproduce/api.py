"""The names of the mechanics that science uses: authors write `from reproduce import api`, and `api.Selection`.

Each name is imported at its first use, because a run needs neither figures nor claims.
"""

import ast
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from reproduce import SOURCES

if TYPE_CHECKING:
    from reproduce.charts.charts import (
        BLUE,
        GREY,
        HEADING,
        RED,
        WIDTH,
        control,
        frame,
        line_in_range,
        of_setting,
        panel,
        rounded,
        style_chart,
    )
    from reproduce.charts.setting_chart import SettingChart
    from reproduce.claims.claim import Claim
    from reproduce.claims.criteria import Every
    from reproduce.claims.differences import DIFFERENCES
    from reproduce.claims.entries import Decisions
    from reproduce.claims.estimate import Estimate
    from reproduce.claims.families import Family, family
    from reproduce.claims.measures import (
        Measure,
        Tables,
        Tested,
        at_step,
        difference_of_means,
        each_run,
        extreme,
        final,
        measure,
        measured,
        not_testable,
        on_shared_seeds,
        paired_values,
        ratio_of_means,
        reduce_values,
        table_of,
        time_or_end,
        total,
        updates,
    )
    from reproduce.config.experiments import Needs, minutes_of_updates, updates_in
    from reproduce.config.fields import (
        Count,
        DatasetSettings,
        Distinct,
        Integer,
        Name,
        Natural,
        NonNegative,
        Positive,
        Seed,
    )
    from reproduce.errors import UserError
    from reproduce.figures.curves import deviation, draw_band, draw_bars, extremes, label_lines, require_curve
    from reproduce.figures.sheet import Sheet
    from reproduce.records.datasets import Dataset
    from reproduce.records.measurements import Measurements, add_finite
    from reproduce.tables.axes import RECORD_COLUMNS, axes_of, group_by_setting, merge_blocks, run_index, swept_axes
    from reproduce.tables.estimates import evenly_spaced, fit_line, fit_power_law, thin_steps
    from reproduce.tables.matrices import by_index, by_run, by_seed, by_simulation, labelled, recordings
    from reproduce.tables.rows import (
        NotRecordedError,
        divergence_steps,
        drop_diverged,
        first_seed,
        last_rows,
        require_rows,
        rows_of,
        runs_except,
        runs_of,
        runs_with_metric,
        values_by_index,
    )
    from reproduce.tables.selection import EVERY, NotTestableError, Selection, shown_of
    from reproduce.tables.table import Table
    from reproduce.tables.words import count_text, divergence_suffix, label_of, listing, runs_text, text_of


@cache
def modules() -> dict[str, str]:
    """Return name → module of all names that this file offers, found once: this takes 2 ms."""
    nodes = ast.walk(ast.parse(SOURCES[__name__] or b""))
    offered = [node for node in nodes if isinstance(node, ast.ImportFrom) and str(node.module).startswith("reproduce.")]
    return {alias.name: str(node.module) for node in offered for alias in node.names}


def __getattr__(name: str) -> object:
    """Import a name at its first use."""
    if name.startswith("_") or name not in (found := modules()):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(found[name]), name)
    return value
