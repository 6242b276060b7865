ID = "saxe-2013"
TITLE = "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks"
SOURCE = "the paper that document 001 tests (Saxe, McClelland and Ganguli 2013)"
ABOUT = (
    "Deep linear nets compute linear functions, but their learning is nonlinear, with plateaus and sudden transitions. "
    "The paper gives exact solutions. With orthogonal or pretrained initial weights, depth costs little time. Gaussian "
    "weights are slow, because products of random Gaussian matrices shrink most directions to almost 0."
)
FINDING = (
    "According to the paper, depth costs no time if the layers are orthogonal at the start. Here it costs some time: "
    "nets of 100 layers take {times_from_3_layers/orthogonal} times as long as nets of 3. Gaussian layers cost far "
    "more: with 8 layers of 100 units, they take {gap_is_modest_at_6_layers/8 layers} times as long as orthogonal ones."
)
EQUATION = r"\tau \frac{du}{dt} = (N_l - 1)\, u^{\,2 - 2/(N_l - 1)} \,(s - u)"
MEANING = (
    "The equation describes the growth of the strength u of a mode with singular value s, in a net of N layers with "
    "balanced matrices."
)
DIFFERENCES = (
    "The hidden layers have 100 units here for learning times and 100 to 200 for random nets; the paper has 1,000. Wider "
    "nets need fewer updates: with 10 layers of 400 units, we measured 2 from an orthogonal start and 22 from a Gaussian "
    "one.",
    "The paper has 15 depths and twenty learning rates over three decades. We run 11 depths, and our rates are more "
    "closely spaced around theory's best rate, where training is stable at it.",
    "We draw 40 products of random matrices instead of 500.",
    "We add smaller initial weights for the modes of MNIST, a start that is not in the paper.",
)
# The document and the works that it builds on, with the fields of CITATION.cff.
WORKS = (
    {
        "title": "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
        "kind": "article",
        "authors": ("Andrew M. Saxe", "James L. McClelland", "Surya Ganguli"),
        "year": "2013",
        "url": "https://arxiv.org/abs/1312.6120",
        "notes": "arXiv:1312.6120; studied by document 001",
    },
)
