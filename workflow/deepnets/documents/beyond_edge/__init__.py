"""What becomes of the balance of layers beyond the edge of stability."""

ID = "beyond-edge"
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
    "The abstract names no condition. We find that layers need the same singular vectors.",
)
# What a reader of these results cites.
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
