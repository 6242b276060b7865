"""Measures and criteria of the statements on nets beyond the edge of stability."""

from deepnets.documents.beyond_edge.runs import ALIGNED, ROTATED
from reproduce import api

TABLES = ("beyond_edge",)
_DECAYED, _POSITIVE = api.Every(0, 1e-5), api.Between(least=0)


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements. A step is a learning rate in % of the edge."""
    shallow, deep = ALIGNED.but(depth=2), ALIGNED.but(depth=4)
    return api.Decisions(
        {
            "flow_conserves_the_gap": (_left(ALIGNED, 1), api.Every(0.99, 1)),
            "law_breaks_at_the_edge": (_left(ALIGNED, 95) - _left(ALIGNED, 105), api.Between(least=0.5)),
            "gap_decays_to_zero": {
                f"depth {depth}": (_left(ALIGNED.but(depth=depth), 110), _DECAYED) for depth in (2, 3, 4)
            },
            "gap_never_rises": (
                api.extreme(ALIGNED.but(depth=[2, 3, 4]), "largest_rise", pick="max"),
                api.Every(-1e-12, 1e-12),
            ),
            "periods_double": {
                f"at {rate} %": (api.at_step(ALIGNED, "period", rate), api.Is(period))
                for rate, period in {90: 1, 110: 2, 125: 4, 140: 64}.items()
            },
            "rate_sets_the_dimension": {
                f"at {rate} %": (api.at_step(ALIGNED, "oscillating", rate), api.Is(modes))
                for rate, modes in {90: 0, 110: 1, 120: 2, 140: 3}.items()
            },
            "shallow_and_simple_nets_are_calm": {
                "two layers": (_range(deep, 120) - _range(shallow, 60), _POSITIVE),
                "half of the target": (_range(shallow, 120) - _range(shallow.but(strength=0.5), 60), _POSITIVE),
            },
            "rotations_restore_the_gap": {
                "close modes": (_left(ROTATED, 110), api.Between(least=0.1)),
                "distant modes": (_left(ROTATED.but(ratio=0.5), 110), _DECAYED),
            },
        }
    )


def _left(nets: api.Selection, rate: int) -> api.Measure:
    return api.at_step(nets, "gap_left", rate, index=2)


def _range(nets: api.Selection, rate: int) -> api.Measure:
    return api.at_step(nets, "oscillation", rate)
