"""On the inductive bias of various architectures of deep ReLU nets: Labatie's slides at ICML 2019."""

ID = "002-propagation"
TITLE = "On the inductive bias of various architectures of deep ReLU nets"
SOURCE = "Labatie's slides at ICML 2019"
ABOUT = (
    "Images and a small noise on them pass through very deep nets with random weights, before any training. How "
    "much faster the noise grows than the signal, and in how many directions both still vary, tells what an "
    "architecture can still learn. The slides argue that plain nets lose all directions but one, that nets with "
    "batch normalisation let noise explode, and that residual nets with it do so only slowly."
)
FINDING = (
    "Before any training, 200 vanilla layers leave a signal with {vanilla_signal_is_one_dimensional} effective "
    "directions; with batch normalisation noise grows by {any_corruption_drowns_the_signal} or more powers of ten over "
    "as many layers, and in resnets only by a factor of {resnet_sensitivity} over 500 units."
)
EQUATION = (
    r"\chi^l = \sqrt{\frac{\mu_2(dx^l)}{\mu_2(x^l)}}, \qquad \delta\chi^l = \frac{\chi^l}{\chi^{l-1}}, \qquad "
    r"r_{\mathrm{eff}} = \frac{\sum_i \lambda_i}{\max_i \lambda_i}"
)
MEANING = (
    "χ, the normalised sensitivity, compares the variances of noise dx and signal x at layer l with those at the "
    "input, δχ is its growth from one layer to the next, and the effective rank counts the directions of variance λ"
    " that matter."
)
# As CITATION.cff would list them: the document, and what it builds on.
WORKS = (
    {
        "title": "On the Inductive Bias of Various Architectures of Deep ReLU Nets",
        "kind": "generic",
        "authors": ("Antoine Labatie",),
        "year": "2019",
        "url": "",
        "notes": "Document 002, slides of ICML 2019",
    },
    {
        "title": "Characterizing Well-Behaved vs. Pathological Deep Neural Networks",
        "kind": "conference-paper",
        "authors": ("Antoine Labatie",),
        "year": "2019",
        "url": "https://arxiv.org/abs/1811.03087",
        "notes": "arXiv:1811.03087; the paper behind document 002",
    },
)
