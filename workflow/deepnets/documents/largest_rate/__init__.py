ID = "largest-rate"
TITLE = "Depth sets the largest useful learning rate"
SOURCE = "two papers on deep nets at initialisation (Jelassi et al. 2023; Saxe, McClelland and Ganguli 2013)"
ABOUT = (
    "The more layers a net has, the further one update moves its output, so its learning rate must be smaller. In deep "
    "linear nets with orthogonal weights, the largest stable rate falls as 1/depth. In deep ReLU nets, the hidden "
    "layers need a rate that falls, to first order in the rate, as the depth to the power −3/2."
)
FINDING = (
    "In ReLU nets, the rate at which one update changes the last hidden layer by 1 falls as the depth to the power "
    "{relu_exponent} to first order in the rate, and {relu_exponent_of_real_updates} with real updates. In orthogonal "
    "linear nets, the largest stable rate falls to the power {stable_rate_exponent_of_linear_nets}."
)
EQUATION = r"\eta^*(L) = \mathrm{const} \cdot L^{-3/2}"
MEANING = (
    "The largest useful learning rate η* of a ReLU net with L hidden layers: the one for which one update changes the "
    "pre-activations of the last hidden layer by a mean square of 1, to first order in the rate."
)
DIFFERENCES = (
    "Jelassi et al. prove a theorem, and Saxe et al. derive an order of magnitude; we measure finite nets, with at "
    "most 256 units in a layer and 64 hidden layers. We know the former paper by its abstract.",
    "The abstract does not say whether it takes the change to first order in the rate; we measure this and, beside "
    "it, real updates. With ReLU and 64 layers, a real update at that rate changes the last hidden layer less than half "
    "as much, as the second figure shows.",
    "The exponents of linear nets with the same measure, and of 2/λ in ReLU nets, are in neither paper: we compare "
    "them with theory at infinite width.",
    "A net has a single output. Labels are random signs, and images are scaled to the same length and not centred.",
    "The rate of the first matrix is multiplied by width/784, and the readout is not updated: it does not change the "
    "last hidden layer.",
    "For Saxe et al., we take the Hessian at initialisation, with the net's own outputs as labels, for one image; the "
    "paper takes it along the learning of one mode.",
)
# The papers, in the format of CITATION.cff.
WORKS = (
    {
        "title": "Depth Dependence of μP Learning Rates in ReLU MLPs",
        "kind": "article",
        "authors": (
            "Samy Jelassi",
            "Boris Hanin",
            "Ziwei Ji",
            "Sashank J. Reddi",
            "Srinadh Bhojanapalli",
            "Sanjiv Kumar",
        ),
        "year": "2023",
        "url": "https://arxiv.org/abs/2305.07810",
        "notes": "arXiv:2305.07810; the power −3/2",
    },
    {
        "title": "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
        "kind": "article",
        "authors": ("Andrew M. Saxe", "James L. McClelland", "Surya Ganguli"),
        "year": "2013",
        "url": "https://arxiv.org/abs/1312.6120",
        "notes": "arXiv:1312.6120; the power −1 of linear nets",
    },
)
