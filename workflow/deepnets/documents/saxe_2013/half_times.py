"""Half times of the experiment `mode_dynamics`, compared with eq. 11."""

import pandas as pd

from reproduce import api


def relative_delays(runs: pd.DataFrame) -> pd.DataFrame:
    """Return (simulation − theory) / theory for half times, of shape (modes, nets).

    runs: all of the same setting. A value is NaN if the net does not reach half of the mode's singular value. Raises
    NotRecordedError if there are no half times.
    """
    theory = api.values_by_index(api.require_rows(api.first_seed(runs), "theory_half_time"))
    measured, modes = api.require_rows(runs, "half_time"), api.rows_of(runs, "data_singular_value")["index"].max() + 1
    measured = measured.assign(mode=measured["index"] % modes, net=measured["index"] // modes)
    times = measured.pivot(index="mode", columns=["seed", "net"], values="value").reindex(theory.index)
    return times.div(theory, axis=0) - 1
