"""Each edit of test_staleness.py, whose tests take minutes, finds the text that it changes."""

import pytest
from test_staleness import (
    HARMLESS,
    SCENARIOS,
    damage_cache,
    delete_record,
    delete_run,
    edit_record,
    edit_run,
    replace_run_by_pipe,
    roll_labels,
    truncate_run,
)

OF_RESULTS = (delete_run, delete_record, edit_record, truncate_run, replace_run_by_pipe, edit_run, roll_labels)
OF_RESULTS += (damage_cache,)


@pytest.mark.parametrize("name", ["harmless edits", *SCENARIOS])
def test_an_edit_finds_what_it_changes(project, name):
    for edit in [SCENARIOS[name][0]] if name in SCENARIOS else HARMLESS.values():
        if edit not in OF_RESULTS:
            edit(project)
