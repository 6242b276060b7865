ID = "002-propagation"
TITLE = "On the inductive bias of various architectures of deep ReLU nets"
SOURCE = "Labatie's slides at ICML 2019"
ABOUT = (
    "Images and a small noise pass through very deep nets with random weights, before any training. What an "
    "architecture can learn depends on how much faster the noise grows than the signal, and in how many directions "
    "both vary. According to the slides, plain nets lose all directions but one; with batch normalisation, noise "
    "explodes in feedforward nets and grows slowly in residual nets."
)
FINDING = (
    "Before any training, the signal has {vanilla_ranks/effective rank, layer 200} effective directions after "
    "200 vanilla layers. With batch normalisation, the ratio of noise to signal grows by "
    "{any_corruption_drowns_the_signal} powers of ten over 200 layers, and in resnets only by a factor of "
    "{resnet_sensitivity} over 500 units."
)
EQUATION = (
    r"\chi^l = \sqrt{\frac{\mu_2(dx^l)}{\mu_2(x^l)}}, \qquad \delta\chi^l = \frac{\chi^l}{\chi^{l-1}}, \qquad "
    r"r_{\mathrm{eff}} = \frac{\sum_i \lambda_i}{\max_i \lambda_i}"
)
MEANING = (
    "The normalised sensitivity χ compares the variances of noise dx and signal x at layer l with those at the input. "
    "The increment δχ is the growth of χ from one layer to the next. The effective rank is the sum of the variances λ "
    "in all directions divided by the largest variance."
)
# For README.md: what is compared, the claims, and the form of a number.
NUMBERS = (
    (
        "002: noise over signal, with batch normalisation: after 200 layers (log₁₀), after 500 residual units",
        ("feedforward_sensitivity", "resnet_sensitivity"),
        "{}",
    ),
)
DIFFERENCES = (
    "The authors used CIFAR-10. We use MNIST, which their code can read too.",
    "The authors' code has 3 × 3 convolutions of 512 channels (128 for the histograms) and batches of 64 images (1,024 "
    "for the histograms); the slides name neither. Our batches are smaller: 8 images in vanilla nets, 4 in resnets, and "
    "2 for the histograms. Our feedforward nets with batch normalisation have 64 images, but 128 channels. In "
    "comparisons of normalisations, our nets have 64 channels.",
    "We run 6 to 20 simulations for the main curves instead of 1,000, 70 for the histograms instead of 10,000, and 10 "
    "or 20 of fully connected nets, with the authors' batches of 64 and 512. Our curves show medians with the 16th to "
    "84th percentile; the slides show means.",
    "The slides do not state how pixels are scaled. We scale all pixels by one factor, which we chose by comparison "
    "with the authors' pictures. In fully connected resnets, χ depends on this factor: if the variance of the inputs "
    "about their mean image is 1 instead of 0.7, χ after 500 units is 34 instead of 38. We chose 8 groups for group "
    "normalisation. Convolutions are periodic at the border, as in the authors' paper.",
)
# The document and the works that it builds on, with the fields of CITATION.cff.
WORKS = (
    {
        "title": "On the Inductive Bias of Various Architectures of Deep ReLU Nets",
        "kind": "generic",
        "authors": ("Antoine Labatie",),
        "year": "2019",
        "url": "https://icml.cc/virtual/2019/oral/4386",
        "notes": "Document 002, slides of ICML 2019",
    },
    {
        "title": "Characterizing Well-Behaved vs. Pathological Deep Neural Networks",
        "kind": "conference-paper",
        "authors": ("Antoine Labatie",),
        "year": "2019",
        "url": "https://arxiv.org/abs/1811.03087",
        "notes": "arXiv:1811.03087; the paper of document 002",
    },
)
