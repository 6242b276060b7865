ID = "balancedness"
TITLE = "Adjacent layers stay as balanced as they start"
SOURCE = "Arora, Cohen and Hazan 2018, Theorem 1; Du, Hu and Lee 2018, Section 2; Saxe et al. 2013, Section 1.3"
ABOUT = (
    "Gradient flow in a deep linear net conserves the difference of two matrices at each hidden layer, one made of the "
    "incoming and one of the outgoing weights. In a ReLU net it conserves only the diagonal of this difference: the "
    "squared incoming minus the squared outgoing weights of each neuron. We measure how much gradient descent changes "
    "them. In a linear net of two layers, the conserved imbalance decides whether learning is slow and sigmoidal, or "
    "fast and exponential; we compare gradient descent with the closed form."
)
FINDING = (
    "Gradient flow keeps adjacent layers as balanced as they start. Gradient descent at small learning rates changes the "
    "balance in proportion to the rate: to its power {linear_drift_is_proportional_to_rate} in linear nets, and "
    "{relu_drift_is_proportional_to_rate/each neuron} for each neuron of ReLU nets."
)
EQUATION = r"\frac{ds}{dt} = \sqrt{\lambda^2 + 4 s^2}\,(1 - s), \qquad \lambda = w_2^2 - w_1^2"
MEANING = (
    "The product s = w₂w₁ of two layers of one weight each learns its target 1 at a rate from 2s, with equal layers "
    "(λ = 0), to about λ, with unequal ones. Gradient flow conserves λ."
)
DIFFERENCES = (
    "The theorems are on gradient flow. We train by gradient descent at several learning rates, each for the same "
    "training time, and judge how the change of the conserved quantity depends on the rate.",
    "The papers name no net that these theorems need: depth, widths, data and rates are ours.",
    "Du et al. prove no statement on the whole matrix of a ReLU net. That it changes is what our runs show.",
    "Saxe et al. give the time from one strength to another. The strength as a function of time is our own inversion.",
)
# What a reader of these results cites.
WORKS = (
    {
        "title": "On the Optimization of Deep Networks: Implicit Acceleration by Overparameterization",
        "kind": "article",
        "authors": ("Sanjeev Arora", "Nadav Cohen", "Elad Hazan"),
        "year": "2018",
        "url": "https://arxiv.org/abs/1802.06509",
        "notes": "arXiv:1802.06509; Theorem 1 and its proof",
    },
    {
        "title": "Algorithmic Regularization in Learning Deep Homogeneous Models: Layers are Automatically Balanced",
        "kind": "article",
        "authors": ("Simon S. Du", "Wei Hu", "Jason D. Lee"),
        "year": "2018",
        "url": "https://arxiv.org/abs/1806.00900",
        "notes": "arXiv:1806.00900; what gradient flow conserves in linear and in ReLU nets",
    },
    {
        "title": "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
        "kind": "article",
        "authors": ("Andrew M. Saxe", "James L. McClelland", "Surya Ganguli"),
        "year": "2013",
        "url": "https://arxiv.org/abs/1312.6120",
        "notes": "arXiv:1312.6120; learning of one mode with unequal layers",
    },
    {
        "title": "Get rich quick: exact solutions reveal how unbalanced initializations promote rapid feature learning",
        "kind": "article",
        "authors": (
            "Daniel Kunin",
            "Allan Raventós",
            "Clémentine Dominé",
            "Feng Chen",
            "David Klindt",
            "Andrew Saxe",
            "Surya Ganguli",
        ),
        "year": "2024",
        "url": "https://arxiv.org/abs/2406.06158",
        "notes": "arXiv:2406.06158; lazy and rich learning by imbalance",
    },
)
