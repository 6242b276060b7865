"""ZerO initialisation: a notebook on the paper of Zhao, Schäfer and Anandkumar (2021)."""

ID = "004-zero"
TITLE = "ZerO initialisation"
SOURCE = "a notebook on the paper of Zhao, Schäfer and Anandkumar (2021)"
ABOUT = (
    "A net of three layers that starts from the identity alone can never use more directions than its input has: "
    "the rank of what it learns is bounded. ZerO starts from zeros and ones as well, but rotates by a Hadamard "
    "matrix where the width grows. It is as deterministic as the identity and breaks that bound."
)
FINDING = (
    "A net can start without random numbers: after one epoch it classifies {test_count} of 10,000 test images "
    "correctly. Partial identities limit the rank of what a layer of 1,024 units learns to {rank_below_784/n_h = "
    "1024}; with a Hadamard matrix it becomes {zero_exceeds_784}."
)
EQUATION = r"\operatorname{rank}\left(W_l(t) - I\right) \le n_x"
MEANING = (
    "From the partial identity, a square matrix of the net leaves its start, at any time t, in at most as many "
    "directions as the input has dimensions, n."
)
DIFFERENCES = (
    "We train one epoch, as the printed output does; the paper and its pictures have 20.",
    "The right figure uses 1,024 hidden units here and 2,048 in the authors' pictures. 2,048 units run for one "
    "seed only.",
    "The order of the images is the document's, and its main initialisations are not random. It sets no seed "
    "for its random initialisation; we run seeds of our own.",
)
# As CITATION.cff would list them: the document, and what it builds on.
WORKS = (
    {
        "title": "ZerO initialisation, example on MNIST (notebook)",
        "kind": "generic",
        "authors": ("the author of the notebook's fork",),
        "year": "",
        "url": "",
        "notes": "Document 004",
    },
    {
        "title": "ZerO Initialization: Initializing Neural Networks with only Zeros and Ones",
        "kind": "article",
        "authors": ("Jiawei Zhao", "Florian Schäfer", "Anima Anandkumar"),
        "year": "2021",
        "url": "https://arxiv.org/abs/2110.12661",
        "notes": "arXiv:2110.12661; the paper behind document 004",
    },
)
