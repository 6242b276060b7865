"""Saxe, McClelland and Ganguli 2013: the paper behind document 001."""

ID = "saxe-2013"
TITLE = "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks"
SOURCE = "the paper behind document 001 (Saxe, McClelland and Ganguli 2013)"
ABOUT = (
    "Deep linear nets compute linear functions, but they learn them along nonlinear paths with plateaus and sudden "
    "steps, for which the paper gives exact solutions. How long learning takes depends on depth and on the start: "
    "with the right start, orthogonal or pretrained, depth costs little. Products of random matrices show why "
    "Gaussian starts are slow, as they squeeze most directions to nothing."
)
FINDING = (
    "The paper finds that depth costs no time if layers start orthogonal. Here it costs some: nets of 100 layers take "
    "{times_from_3_layers/orthogonal} times as long as nets of 3. With Gaussian layers they take {gaussian_grows} "
    "times as long as nets of 10."
)
EQUATION = r"\tau \frac{du}{dt} = (N_l - 1)\, u^{\,2 - 2/(N_l - 1)} \,(s - u)"
MEANING = "The strength u of a mode with singular value s, in a net of N layers whose matrices are balanced."
DIFFERENCES = (
    "The hidden layers have 100 units here for learning times and 100 to 200 for random nets; the paper has 1,000.",
    "The paper has 15 depths and twenty learning rates over three decades. We run 11 depths, and our rates lie "
    "closer together around the rate that theory calls best, where training is stable at it.",
    "We draw 40 products of random matrices, not 500.",
    "Not in the paper: smaller starts for the modes of MNIST.",
)
# As CITATION.cff would list them: the document, and what it builds on.
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
