import numpy as np
import pandas as pd

from reproduce import api

TABLES = ("sharpness",)
_OTHERS = {"init": "aligned", "strength": 4, "ratio": 0.5, "scale": 0.01, "edge_share": 0.05, "covariance": "white"}
NETS = api.Selection("sharpness", depth=[2, 3, 4], **_OTHERS)
_SPECTRA, _FAST = NETS.but(strength=[1, 4], ratio=[0.5, 0.8, 1]), NETS.but(edge_share=0.9)


def decisions() -> api.Decisions:
    """Return the tests of the statements."""
    # In updates times the rate.
    later = 0.9 / 0.05 * (api.final(_FAST, "half_time") / api.final(NETS, "half_time"))
    gauss_newton = api.at_step(NETS, "gauss_newton", 0) / api.at_step(NETS, "hessian", 0)
    return api.Decisions(
        {
            "eigenvalues_have_a_closed_form": _error(_SPECTRA).every(0, 1e-10),
            "number_of_each_kind": {
                name: api.final(NETS, "kind_count", index=kind).every(number - 1e-6, number + 1e-6)
                for kind, (name, number) in enumerate({"modes": 3, "pairs": 6, "rest": 9}.items())
            },
            "sharpness_at_the_end": _end(_SPECTRA.but(edge_share=[0.05, 0.9])).every(1 - 1e-8, 1 + 1e-8),
            "sharpness_near_zero": {
                "2 layers": _lowest(NETS.but(depth=2, scale=1e-6)).every(0.99, 1.01),
                "3 and 4 layers": _lowest(NETS.but(depth=[3, 4], scale=1e-6)).every(0, 0.05),
            },
            "sharpness_dips": _lowest(NETS.but(depth=2)).every(0, 0.95),
            "rates_shift_times": later.every(1.05),
            "other_inputs_end_elsewhere": (_end(NETS.but(depth=3, covariance="unequal")) - 1).apply(np.abs) > 0.05,
            "residuals_decide_the_start": gauss_newton.every(0, 0.1),
            "small_random_starts_end_there": _end(NETS.but(depth=[2, 3], init="gaussian")).every(0.95, 1.05),
        },
        settings=(NETS,),
    )


def matrix(run: pd.DataFrame, metric: str) -> np.ndarray:
    """Return a metric of one run, records × indices."""
    return api.by_index(api.require_rows(run, metric)).to_numpy()


@api.each_run
def _error(run: pd.DataFrame) -> float:
    """Return the largest error of theory at any time, as a share of the largest eigenvalue."""
    theory = matrix(run, "theory")
    return np.max(np.abs(matrix(run, "gauss_newton") - theory) / theory.max(axis=1, keepdims=True))


@api.each_run
def _lowest(run: pd.DataFrame) -> float:
    return matrix(run, "hessian")[:, 0].min() / run["strength"].iloc[0]


@api.each_run
def _end(run: pd.DataFrame) -> float:
    depth, strength = run[["depth", "strength"]].iloc[0]
    return matrix(run, "hessian")[-1, 0] / (depth * strength ** (2 - 2 / depth))
