from reproduce import api

TABLES = ("beyond_edge",)
ALIGNED = api.Selection("beyond_edge", depth=3, strength=1, ratio=0.9, departure=0, basis="diagonal", scale=0.7)
ROTATED = ALIGNED.but(departure=1e-6)
_DEPTHS, _STARTS = (2, 3, 4), (0.1, 0.3, 0.7)


def decisions() -> api.Decisions:
    """Return the tests of the statements. A step is a learning rate in % of the edge."""
    shallow, distant, small = ALIGNED.but(depth=2), ALIGNED.but(ratio=0.5), ALIGNED.but(strength=0.2)
    starts = ALIGNED.but(depth=[*_DEPTHS], scale=[*_STARTS])
    return api.Decisions(
        {
            "flow_conserves_the_gap": _left(ALIGNED, 1).every(0.99, 1),
            "law_breaks_at_the_edge": {
                f"{depth} layers, start {start}": _left(nets, 95) - _left(nets, 105) > 0
                for depth in _DEPTHS
                for start in _STARTS
                for nets in [ALIGNED.but(depth=depth, scale=start)]
            },
            "gap_decays_to_zero": {
                f"{depth} layers, {basis}": _left(distant.but(depth=depth, basis=basis), 110).every(0, 1e-5)
                for depth in _DEPTHS
                for basis in ("diagonal", "rotated")
            },
            "gap_never_rises": api.extreme(starts, "largest_rise", pick="max").every(-1e-12, 1e-12),
            "oscillations_have_period_two": {
                f"at {rate} %": api.at_step(ALIGNED, "period", rate).equals(period)
                for rate, period in {90: 1, 110: 2}.items()
            },
            "rate_sets_the_dimension": {
                f"at {rate} %": api.at_step(ALIGNED, "oscillating", rate).equals(modes)
                for rate, modes in {90: 0, 110: 1, 120: 2, 140: 3}.items()
            },
            "shallow_and_simple_nets_need_not_oscillate": {
                "two layers": _range(ALIGNED.but(depth=4), 120) - _range(shallow, 60) > 0,
                "half of the target": _range(shallow, 120) - _range(shallow.but(strength=0.5), 60) > 0,
            },
            "small_starts_break_the_law_earlier": {
                f"at {rate} %": _left(shallow.but(scale=0.1), rate).between(least=0, greatest=most)
                for rate, most in {50: 0.5, 95: 0.01}.items()
            },
            "periods_double": {
                f"at {rate} %": api.at_step(ALIGNED, "period", rate).equals(period)
                for rate, period in {125: 4, 140: 64}.items()
            },
            "deeper_nets_may_be_calm": {
                f"{depth} layers": _range_at(5.3, small, 2) - _range_at(5.3, small, depth) > 0 for depth in (3, 4)
            },
            "rotations_restore_the_gap": {
                "close modes": _left(ROTATED, 110).between(least=0.1, of="moment"),
                "close modes, rotated": _left(ALIGNED.but(basis="rotated"), 110).between(least=0.1, of="moment"),
                "distant modes": _left(ROTATED.but(ratio=0.5), 110).every(0, 1e-5),
            },
        }
    )


def _left(nets: api.Selection, rate: int) -> api.Measure:
    return api.at_step(nets, "gap_left", rate, index=2)


def _range(nets: api.Selection, rate: int) -> api.Measure:
    return api.at_step(nets, "oscillation", rate)


def _range_at(rate: float, nets: api.Selection, depth: int) -> api.Measure:
    """Return the range of the strongest mode at a learning rate, to a whole % of the edge."""
    edge = 2 / (depth * nets["strength"] ** (2 - 2 / depth))
    return _range(nets.but(depth=depth), round(100 * rate / edge))
