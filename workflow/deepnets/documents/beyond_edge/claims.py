from reproduce import api

TITLE = "Beyond the edge of stability, layers lose their imbalance"
SOURCE = "Ghosh, Kwon, Wang, Ravishankar and Qu 2025, abstract"
ABOUT = (
    "Gradient flow in deep linear nets conserves the gap between the squared singular values of adjacent layers. Beyond "
    "the edge of stability, where the learning rate exceeds 2 / sharpness of the flattest minimum, gradient descent "
    "oscillates, and the gap decays. We factorise small matrices at all rates up to 140 % of the edge."
)
FINDING = (
    "The law breaks at the edge: 5 % beyond it nothing of the gap is left in any of our nets that stay diagonal. But steps of "
    "finite size break it before: in two layers from a small start, {small_starts_break_the_law_earlier/at 95 %} of the gap is left "
    "5 % below. And if matrices are not exactly diagonal and singular values of the target differ by a tenth, "
    "at least {rotations_restore_the_gap/close modes} of the gap is left at 10 % beyond."
)
EQUATION = r"\Delta' = \Delta \left(1 - (\eta\, r\, \pi)^2\right)"
MEANING = (
    "An update with rate η multiplies the gap Δ between the squared weights of one mode in two layers by this factor: r "
    "is the error of the product, π the product of the other layers. Beyond the edge, r never vanishes."
)
DIFFERENCES = (
    "We know only the abstract, which prints no number: sizes, targets, initial weights and rates are ours.",
    "The abstract names no condition. We find that the gap decays if matrices are exactly diagonal, or if singular values of the "
    "target are distant.",
)
WORKS = (
    {
        "title": "Learning Dynamics of Deep Linear Networks Beyond the Edge of Stability",
        "kind": "article",
        "authors": ("Avrajit Ghosh", "Soo Min Kwon", "Rongrong Wang", "Saiprasad Ravishankar", "Qing Qu"),
        "year": "2025",
        "url": "https://arxiv.org/abs/2502.20531",
        "notes": "arXiv:2502.20531; the abstract",
    },
)
TABLES = ("beyond_edge",)
ALIGNED = api.Selection("beyond_edge", depth=3, strength=1, ratio=0.9, departure=0, basis="diagonal", scale=0.7)
ROTATED = ALIGNED.but(departure=1e-6)
_DEPTHS, _STARTS = (2, 3, 4), (0.1, 0.3, 0.7)
_DECAYED, _KEPT, _POSITIVE = api.Every(0, 1e-5), api.Every(least=0.1), api.Between(least=0)


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements. A step is a learning rate in % of the edge."""
    shallow, distant, small = ALIGNED.but(depth=2), ALIGNED.but(ratio=0.5), ALIGNED.but(strength=0.2)
    starts = ALIGNED.but(depth=[*_DEPTHS], scale=[*_STARTS])
    return api.Decisions(
        {
            "flow_conserves_the_gap": (_left(ALIGNED, 1), api.Every(0.99, 1)),
            "law_breaks_at_the_edge": {
                f"{depth} layers, start {start}": (_left(nets, 95) - _left(nets, 105), _POSITIVE)
                for depth in _DEPTHS
                for start in _STARTS
                for nets in [ALIGNED.but(depth=depth, scale=start)]
            },
            "gap_decays_to_zero": {
                f"{depth} layers, {basis}": (_left(distant.but(depth=depth, basis=basis), 110), _DECAYED)
                for depth in _DEPTHS
                for basis in ("diagonal", "rotated")
            },
            "gap_never_rises": (api.extreme(starts, "largest_rise", pick="max"), api.Every(-1e-12, 1e-12)),
            "oscillations_have_period_two": {
                f"at {rate} %": (api.at_step(ALIGNED, "period", rate), api.Is(period))
                for rate, period in {90: 1, 110: 2}.items()
            },
            "rate_sets_the_dimension": {
                f"at {rate} %": (api.at_step(ALIGNED, "oscillating", rate), api.Is(modes))
                for rate, modes in {90: 0, 110: 1, 120: 2, 140: 3}.items()
            },
            "shallow_and_simple_nets_need_not_oscillate": {
                "two layers": (_range(ALIGNED.but(depth=4), 120) - _range(shallow, 60), _POSITIVE),
                "half of the target": (_range(shallow, 120) - _range(shallow.but(strength=0.5), 60), _POSITIVE),
            },
            "small_starts_break_the_law_earlier": {
                f"at {rate} %": (_left(shallow.but(scale=0.1), rate), api.Between(least=0, greatest=most))
                for rate, most in {50: 0.5, 95: 0.01}.items()
            },
            "periods_double": {
                f"at {rate} %": (api.at_step(ALIGNED, "period", rate), api.Is(period))
                for rate, period in {125: 4, 140: 64}.items()
            },
            "deeper_nets_may_be_calm": {
                f"{depth} layers": (_range_at(5.3, small, 2) - _range_at(5.3, small, depth), _POSITIVE)
                for depth in (3, 4)
            },
            "rotations_restore_the_gap": {
                "close modes": (_left(ROTATED, 110), _KEPT),
                "close modes, rotated": (_left(ALIGNED.but(basis="rotated"), 110), _KEPT),
                "distant modes": (_left(ROTATED.but(ratio=0.5), 110), _DECAYED),
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
