from reproduce import api

TITLE = "Beyond the edge of stability, layers lose their imbalance"
SOURCE = "Ghosh, Kwon, Wang, Ravishankar and Qu 2025, abstract"
ABOUT = (
    "Gradient flow in deep linear nets conserves the gap between the squared singular values of adjacent layers. Beyond "
    "the edge of stability, where the learning rate exceeds 2 / sharpness of the flattest minimum, gradient descent "
    "oscillates, and the gap decays. We factorise small matrices at all rates up to 140 % of the edge."
)
FINDING = (
    "From 5 % below the edge of stability to 5 % beyond, the share of the gap that is left falls by "
    "{law_breaks_at_the_edge}, to zero. But if singular vectors of the layers differ by a millionth and singular values "
    "of the target by a tenth, at 10 % beyond it {rotations_restore_the_gap/close modes} of the gap are left."
)
EQUATION = r"\Delta' = \Delta \left(1 - (\eta\, r\, \pi)^2\right)"
MEANING = (
    "An update with rate η multiplies the gap Δ between the squared weights of one mode in two layers by this factor: r "
    "is the error of the product, π the product of the other layers. Beyond the edge, r never vanishes."
)
DIFFERENCES = (
    "We know only the abstract, which prints no number: sizes, targets, initial weights and rates are ours.",
    "The abstract names no condition. We find that layers need the same singular vectors, or targets distant singular values.",
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
ALIGNED = api.Selection("beyond_edge", depth=3, strength=1, ratio=0.9, departure=0)
ROTATED = ALIGNED.but(departure=1e-6)
_DECAYED, _POSITIVE = api.Every(0, 1e-5), api.Between(least=0)


def decisions() -> api.Decisions:
    """Return the measures and criteria of the statements. A step is a learning rate in % of the edge."""
    shallow, rise = ALIGNED.but(depth=2), api.extreme(ALIGNED.but(depth=[2, 3, 4]), "largest_rise", pick="max")
    return api.Decisions(
        {
            "flow_conserves_the_gap": (_left(ALIGNED, 1), api.Every(0.99, 1)),
            "law_breaks_at_the_edge": (_left(ALIGNED, 95) - _left(ALIGNED, 105), api.Between(least=0.5)),
            "gap_decays_to_zero": {
                f"depth {depth}": (_left(ALIGNED.but(depth=depth), 110), _DECAYED) for depth in (2, 3, 4)
            },
            "gap_never_rises": (rise, api.Every(-1e-12, 1e-12)),
            "periods_double": {
                f"at {rate} %": (api.at_step(ALIGNED, "period", rate), api.Is(period))
                for rate, period in {90: 1, 110: 2, 125: 4, 140: 64}.items()
            },
            "rate_sets_the_dimension": {
                f"at {rate} %": (api.at_step(ALIGNED, "oscillating", rate), api.Is(modes))
                for rate, modes in {90: 0, 110: 1, 120: 2, 140: 3}.items()
            },
            "shallow_and_simple_nets_are_calm": {
                "two layers": (_range(ALIGNED.but(depth=4), 120) - _range(shallow, 60), _POSITIVE),
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
