"""Deep linear neural networks: a tutorial of Neuromatch Academy."""

ID = "003-hierarchy"
TITLE = "Deep linear neural networks"
SOURCE = "a tutorial of Neuromatch Academy"
ABOUT = (
    "Eight items, from animals to plants, have features that follow a tree: close relatives share most of them. A "
    "linear net with one hidden layer learns the tree from its root to its leaves, one level after the other, in "
    "sudden steps between plateaus. On the way it believes things that are false, such as that sharks have bones, "
    "because a coarse distinction is learned before the exception."
)
FINDING = (
    "A deep linear net learns a hierarchy from its root to its leaves: its loss falls in {loss_has_bumps} drops, "
    "and it learns the second mode {strong_modes_come_first/first mode to second mode} updates after the first."
)
EQUATION = r"u_a(t) = \frac{s_a e^{2 s_a t/\tau}}{e^{2 s_a t/\tau} - 1 + s_a/u_a(0)}"
MEANING = (
    "The strength u of each mode, which is one direction of the data with singular value s, grows along a sigmoid; "
    "stronger modes are learned first."
)
DIFFERENCES = (
    "The data are those of the document's seed 2021. The initial weights come from our own generator, and so "
    "do the weights and inputs of the regression exercise.",
    "The document's network without a hidden layer learns a fourth draw of the data. Ours learns the first, so "
    "that it can be compared with the deep network.",
)
# As CITATION.cff would list them: the document, and what it builds on.
WORKS = (
    {
        "title": "Deep linear neural networks (tutorial)",
        "kind": "generic",
        "authors": ("Saeed Salehi", "Spiros Chavlis", "Andrew Saxe"),
        "year": "",
        "url": "",
        "notes": "Document 003, Neuromatch Academy",
    },
    {
        "title": "A mathematical theory of semantic development in deep neural networks",
        "kind": "article",
        "authors": ("Andrew M. Saxe", "James L. McClelland", "Surya Ganguli"),
        "year": "2019",
        "url": "",
        "notes": "The theory behind document 003",
    },
)
