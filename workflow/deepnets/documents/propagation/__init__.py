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
DIFFERENCES = (
    "The authors used CIFAR-10. We use MNIST, which their code can read too.",
    "The nets have the document's 3 × 3 convolutions and its 512 channels (128 for the histograms), but "
    "smaller batches: 2 to 16 images instead of 64, and 2 instead of 1,024 for the histograms. The comparisons "
    "of normalisations have 64 channels.",
    "We run 2 or 3 simulations for the main curves, not 1,000; 70 for the histograms, not 10,000; and 10 of "
    "fully connected nets, which have the authors' batches of 64 and 512. The curves show medians with the "
    "16th to 84th percentile; the slides show means.",
    "The slides leave open how pixels are scaled. One common scale for all pixels was chosen by comparison "
    "with the authors' pictures. Group normalisation has 8 groups, which is our choice. Convolutions are "
    "periodic at the border, as in the authors' paper.",
    "The sensitivity χ of the resnet after 500 units is 28 ± 3 here and 33.5 in the picture. MNIST's dark "
    "border lowers it: in trials apart from the config (128 channels, 8 images, six nets each), χ was 23.4 ± "
    "1.1 with the border, and 32.5 ± 1.4 without its outer 4 pixels. Batches of 4 and 32 images, or a mirrored "
    "border, changed it by less than 4.",
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
