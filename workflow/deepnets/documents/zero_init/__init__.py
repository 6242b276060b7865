ID = "004-zero"
TITLE = "ZerO initialisation"
SOURCE = "a notebook on the paper of Zhao, Schäfer and Anandkumar (2021)"
ABOUT = (
    "If all layers of a net start as (partial) identities, the rank of the change of a hidden layer's weights is at "
    "most the input dimension. ZerO is not random either, but uses a Hadamard matrix where the width grows: the rank "
    "then exceeds this bound."
)
FINDING = (
    "From partial identities, a net of width 256 classifies {test_count} of 10,000 test images correctly after one "
    "epoch. "
    "The change of the weights of a layer of 1,024 units has at most rank {rank_below_784/n_h = 1024} with partial "
    "identities, but rank {zero_exceeds_784} with a Hadamard matrix."
)
EQUATION = r"\operatorname{rank}\left(W_l(t) - I\right) \le n_x"
MEANING = (
    "If all layers start as partial identities, the change of a square weight matrix has at most rank nₓ at any time "
    "t, where nₓ is the input dimension."
)
# For README.md: what is compared, the claims, and the form of a number. Only these two numbers depend on how a processor rounds; `test_count` allows as many images.
NUMBERS = (
    (
        "004: test images classified correctly after one epoch (another processor: up to 16 more or fewer)",
        ("test_count",),
        "{} of 10,000",
    ),
    (
        "beside 004, the ZerO authors' notebook: rank of a layer of 512 units after one epoch (another processor: a "
        "few more or fewer)",
        ("ranks_after_epoch_1/n_h = 512",),
        "{}",
    ),
)
DIFFERENCES = (
    "We train for one epoch, as in the printed output; the paper and its pictures show 20.",
    "The right figure uses 1,024 hidden units in this document and 2,048 in the authors' pictures. We run 2,048 "
    "units for only one seed.",
    "We use the document's order of the images, and the document's main initialisations are not random. The document "
    "sets no seed for its random initialisation; we run several seeds.",
)
# The document and the works that it builds on, with the fields of CITATION.cff.
WORKS = (
    {
        "title": "ZerO initialisation, example on MNIST (notebook)",
        "kind": "generic",
        "authors": ("the author of the notebook's fork",),
        "year": "",
        "url": "https://github.com/jiaweizzhao/ZerO-initialization",
        "notes": "Document 004, a fork of the notebook in this repository",
    },
    {
        "title": "ZerO Initialization: Initializing Neural Networks with only Zeros and Ones",
        "kind": "article",
        "authors": ("Jiawei Zhao", "Florian Schäfer", "Anima Anandkumar"),
        "year": "2021",
        "url": "https://arxiv.org/abs/2110.12661",
        "notes": "arXiv:2110.12661; the paper that document 004 is about",
    },
)
