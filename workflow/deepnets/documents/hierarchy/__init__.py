ID = "003-hierarchy"
TITLE = "Deep linear neural networks"
SOURCE = "a tutorial of Neuromatch Academy"
ABOUT = (
    "Eight items, animals and plants, have features that follow a tree: close relatives share most of them. A linear "
    "net with one hidden layer learns the tree from its root to its leaves, one level after the other, in sudden steps "
    "between plateaus. During training it predicts things that are false, such as that sharks have bones, because it "
    "learns a coarse distinction before the exception. The synthesis compares nets of three layers and more."
)
FINDING = (
    "A deep linear net learns a hierarchy from its root to its leaves: its loss falls in {loss_has_bumps} drops, "
    "and it learns the second mode {strong_modes_come_first/first mode to second mode} updates after the first."
)
EQUATION = r"u_a(t) = \frac{s_a e^{2 s_a t/\tau}}{e^{2 s_a t/\tau} - 1 + s_a/u_a(0)}"
MEANING = (
    "A mode is one direction of the data with singular value s. Its strength u grows along a sigmoid; stronger modes "
    "are learned first."
)
# For README.md: what is compared, the claims, and the form of a number.
NUMBERS = (
    (
        "003: loss on the three plateaus",
        ("losses_on_plateaus/after drop 1", "losses_on_plateaus/after drop 2", "losses_on_plateaus/after drop 3"),
        "{}",
    ),
)
DIFFERENCES = (
    "One of our ten runs has the data of the document's seed 2021; the nine others have those of further seeds. The "
    "initial weights, and the weights and inputs of the regression exercise, come from our own generator.",
    "The document's network without a hidden layer learns a fourth draw of the data. Ours learns the first, so that it "
    "can be compared with the deep network.",
)
# The document and its sources, in the format of CITATION.cff.
WORKS = (
    {
        "title": "Deep linear neural networks (tutorial)",
        "kind": "generic",
        "authors": ("Saeed Salehi", "Spiros Chavlis", "Andrew Saxe"),
        "year": "",
        "url": "https://github.com/NeuromatchAcademy/course-content-dl/blob/main/tutorials/"
        "W1D2_LinearDeepLearning/student/W1D2_Tutorial3.ipynb",
        "notes": "Document 003, Neuromatch Academy",
    },
    {
        "title": "A mathematical theory of semantic development in deep neural networks",
        "kind": "article",
        "authors": ("Andrew M. Saxe", "James L. McClelland", "Surya Ganguli"),
        "year": "2019",
        "url": "https://arxiv.org/abs/1810.10531",
        "notes": "The theory that document 003 builds on",
    },
)
