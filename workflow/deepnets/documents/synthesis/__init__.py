ID = "synthesis"
TITLE = "What depth and initialisation do, across the documents"
SOURCE = "this project's own summary of all documents"
ABOUT = (
    "Each document studies depth or initialisation in its own setting. The figures below compare their results. The "
    "statements next to the figures are in our words: some are a document's, others compare documents. They are judged "
    "like all claims but counted separately."
)
OPENING = "small_net"
# Why the net learns in steps, for two layers.
EQUATION = (
    r"\begin{array}{l} \mathcal{L} = \frac{1}{2} \lVert W_2 W_1 - T \rVert^2 "
    r"\\ \frac{dW_1}{dt} = W_2^\top (T - W_2 W_1), \quad \frac{dW_2}{dt} = (T - W_2 W_1) W_1^\top "
    r"\\ \frac{da}{dt} = b\, (\sigma - ab), \quad \frac{db}{dt} = a\, (\sigma - ab) "
    r"\\ \frac{ds}{dt} = (a^2 + b^2)(\sigma - s) = 2 s\, (\sigma - s) \end{array}"
)
MEANING = (
    "The loss of two layers; its gradient flow; the same for one mode σ of the target T, with the weights a and b in the "
    "layers; and for its strength s = ab, with equal layers. Near zero, s grows in proportion to itself: it waits, and "
    "then rises within a time of about 1/σ. So the strongest mode comes first."
)
# The top of the page. If a number is missing, the page says which runs these results lack.
AIM = (
    "This page shows students of deep learning what depth and the initial weights do to a net: with the experiments of "
    "five documents and of papers near them, run again, and with a net that learns here. Press Play, and watch it learn in steps."
)
ANSWER = (
    "In short: depth and small initial weights make a net learn few directions at a time, and thus simple solutions; "
    "but deep linear nets learn quickly only from a start that preserves signals in every direction."
)
# Topics that students ask about, but that the page does not treat.
LEFT_OUT = (
    "SGD (004 trains on mini-batches; nothing compares their noise), momentum, Adam, weight decay, dropout, dying neurons, "
    "condition numbers, attention, transformers"
)
# `words`: what readers may search for, beside the words of question and answer.
ANSWERS = (
    {
        "question": "Does depth help?",
        "words": "deeper layers generalisation overfitting low rank bias accuracy",
        "sentence": "Yes, if few features determine the class: from 1 to 6 layers, test "
        "accuracy rises from {synthesis/depth_and_accuracy/1 layer} to {synthesis/depth_and_accuracy/6 layers} % on the "
        "document's points, and from {synthesis/depth_and_accuracy_on_other_data/1 layer} to "
        "{synthesis/depth_and_accuracy_on_other_data/6 layers} % in the mean over further draws. If all ten "
        "features determine it, accuracy changes by {000-classifier/depth_helps_if_few_features_decide/rank 10} points.",
        "why": "The best classifier has rank 2, and there are far fewer matrices of rank 2 than of full rank. Force the "
        "product of two layers to rank 2, and test accuracy is {000-classifier/rank_2_accuracy} % (000). Depth forces "
        "nothing, but it prefers low rank: in a net of N layers, a singular value s grows towards its goal σ by a power "
        "of itself, so that strong patterns come before the noise.",
        "formula": r"\frac{ds}{dt} = N\, s^{2-2/N}\, (\sigma - s)",
        "runs": "the nets of 1 and of 6 layers, on the document's points and on further draws, at ranks 2 and 10",
        "figure": "000-classifier/accuracy_by_class_rank",
        "curve": {
            "panel": "1",
            "series": "rank 2",
            "given": "rank 10",
            "x": "layers",
            "y": "test accuracy, %, if 2 of 10 features decide (grey: all 10)",
            "limits": (40, 100),
            "log": "",
        },
        "statement": "000-classifier/depth_helps_if_few_features_decide",
        "changes": (
            ("synthesis/small_net", "target=two patterns&noise=0.2&depth=1", "Train one layer on two noisy patterns,"),
            (
                "synthesis/small_net",
                "target=two patterns&noise=0.2&depth=3",
                "then three layers: their least held-out error is a third lower.",
            ),
        ),
    },
    {
        "question": "What does a small start do?",
        "words": "flat plateau small weights initialisation scale one after another steps",
        "sentence": "The net learns its modes one by one. From weights near zero, the second singular value appears "
        "{000-classifier/modes_come_one_by_one} updates after the first, in the mean over our draws of the points.",
        "why": "Near zero, a mode grows in proportion to its own strength: it waits, and the strongest mode waits least. "
        "While only the first singular value is there, the net searches matrices of rank 1, then those of rank 2 (000). "
        "So a net first learns what all animals share: for a while it believes that sharks have bones (003). With two "
        "layers, a mode σ that starts at s₀ is half learned after a time that a larger start makes short for all modes.",
        "formula": r"t_{1/2} = \frac{1}{2\sigma} \ln\left(\frac{\sigma}{s_0} - 1\right)",
        "runs": "the nets of 3 layers that start near zero, on our draws of the points",
        "figure": "000-classifier/singular_values_near_zero",
        "curve": {
            "panel": "a",
            "series": "mode 2",
            "given": "mode 1",
            "x": "updates",
            "y": "second singular value (grey: the first)",
            "limits": (0, 200),
            "log": "",
        },
        "statement": "000-classifier/modes_come_one_by_one",
        "changes": (("synthesis/small_net", "size=0.1", "Start at 0.1: the modes come together."),),
    },
    {
        "question": "Which start keeps deep linear nets learnable?",
        "words": "best start initialisation orthogonal Xavier vanishing",
        "sentence": "An orthogonal one. Nets of 100 layers take {saxe-2013/times_from_3_layers/orthogonal} times as "
        "long as nets of 3. From a Gaussian start, nets of 10 layers already take {synthesis/kind_and_time} times as "
        "long as orthogonal ones, with 100 units in each hidden layer.",
        "why": "A product of random matrices loses directions: each singular value grows or falls with its own exponent "
        "λ, so that after some layers a few directions carry nearly all of the signal, and those that carry none learn "
        "nothing. All singular values of a product of orthogonal matrices are 1.",
        "formula": r"\sigma_i(W_1 W_2 \cdots W_L) \approx e^{\lambda_i L}, \quad \lambda_1 > \lambda_2 > \cdots",
        "runs": "orthogonal nets of 3, 10 and 100 layers, and Gaussian nets of 10 layers",
        "figure": "saxe-2013/learning_times",
        "curve": {
            "panel": "b",
            "series": "orthogonal",
            "given": "Gaussian",
            "x": "layers",
            "y": "updates until learned, orthogonal start (grey: Gaussian)",
            "limits": (1, 1000),
            "log": "xy",
        },
        "statement": "saxe-2013/times_from_3_layers",
        "changes": (
            (
                "synthesis/small_net",
                "start=orthogonal&depth=10&size=0.1&rate=0.02",
                "Train ten layers from an orthogonal start,",
            ),
            (
                "synthesis/small_net",
                "start=Gaussian&depth=10&size=0.1&rate=0.02",
                "then from a Gaussian one: it lacks a mode after 10,000 updates.",
            ),
        ),
    },
    {
        "question": "Does batch normalisation make noise explode?",
        "words": "batchnorm batch norm BN resnet skip connections sensitivity depth grow",
        "sentence": "Without skip connections, yes. The ratio of noise to signal grows by "
        "{002-propagation/feedforward_sensitivity} powers of ten over 200 layers, but only by a factor of "
        "{002-propagation/resnet_sensitivity} over 500 residual units.",
        "why": "Normalisation multiplies what it divides: where the signal hardly varies, it divides by a small "
        "deviation, and multiplies the noise there. Each layer multiplies the ratio χ of noise to signal by a factor "
        "above 1, and over L layers these make an exponential. A skip connection dilutes the l-th unit to a share of "
        "about 1/(l + 1) of the variance, and the product of such factors is only a power.",
        "formula": r"\prod_{l=1}^{L} \delta\chi^l \approx e^{\gamma L}, \qquad "
        r"\prod_{l=1}^{L} \left(1 + \frac{2\tau}{l+1}\right)^{1/2} \approx L^{\tau}",
        "runs": "batch-normalised nets of 200 layers, and of 500 residual units",
        "figure": "002-propagation/logarithmic_version",
        "curve": {
            "panel": "a",
            "series": "simulated",
            "given": "",
            "x": "layers",
            "y": "noise over signal, without skip connections",
            "limits": (1, 1000000000000000.0),
            "log": "y",
        },
        "statement": "002-propagation/sensitivity_explodes",
        "changes": (
            (
                "002-propagation/layer_by_layer",
                "net=batch norm feedforward, 3 × 3 convolutions, 128 channels, batch 64, depth 200&place=200",
                "Go to layer 200 without skip connections,",
            ),
            (
                "002-propagation/layer_by_layer",
                "net=batch norm resnet, 3 × 3 convolutions, 256 channels, batch 16, depth 500&place=500",
                "then to unit 500 with them.",
            ),
        ),
    },
    {
        "question": "How does the largest learning rate depend on depth?",
        "words": "best rate too large step size eta",
        "sentence": "It falls. In typical ReLU nets of 256 units, it scales as depth to the power {largest-rate/relu_exponent} "
        "to first order in the rate, and {largest-rate/relu_exponent_of_real_updates} with real updates.",
        "why": "An update changes all layers at once. With orthogonal weights, the changes of L layers move the output "
        "equally far and along the same direction: the mean square of its change is η²L². Gaussian weights stretch a few "
        "directions, and it is along these that layers change: the more layers follow, the further they carry the change of "
        "one. That makes η²L³, which stays the same if η falls as the depth to the power −3/2. A linear net that has "
        "learned a mode σ with N layers settles only below 2 divided by its sharpness, the curvature of the loss, as nets of "
        "three documents do:",
        "formula": r"\eta < \frac{2}{N\, \sigma^{2-2/N}}",
        "runs": "ReLU nets of 2 to 64 hidden layers",
        "figure": "largest-rate/rates_by_depth",
        "curve": {
            "panel": "a",
            "series": "256 units, first",
            "given": "",
            "x": "hidden layers",
            "y": "largest learning rate",
            "limits": (0.01, 10),
            "log": "xy",
        },
        "statement": "largest-rate/relu_exponent",
        "changes": (
            ("synthesis/small_net", "depth=3&rate=0.1&size=0.1", "Train three layers at the rate 0.1,"),
            ("synthesis/small_net", "depth=10&rate=0.1&size=0.1", "then ten: they overshoot."),
        ),
    },
)
# Words of the field; captions link to them. Meanings contain synonyms, so that a search for a synonym finds the word.
GLOSSARY = (
    (
        "linear net",
        "A net without activation functions. Its layers multiply to one matrix, so it computes no more than one layer "
        "can; but gradient descent on several factors learns other matrices, and at other times, than on one.",
    ),
    (
        "mode",
        "One pattern of the data: a pair of singular vectors of its input-output map. The singular value s is its size, "
        "and its strength u is how much of it the net has learned.",
    ),
    (
        "singular value",
        "A factor by which a matrix stretches one of some perpendicular directions, its singular vectors (SVD).",
    ),
    ("loss", "The error that training makes smaller: a squared error or, in documents 000 and 004, the cross entropy."),
    (
        "gradient descent",
        "GD: each update subtracts the gradient of the loss, times the learning rate, from the weights. Gradient flow is "
        "its limit at small rates.",
    ),
    ("learning rate", "The factor η on the gradient in an update; sometimes only called rate, or step size."),
    ("half time", "Number of updates after which a mode first reaches half of its singular value."),
    ("plateau", "In document 003, a stretch of training over which the loss hardly falls, before it drops."),
    (
        "effective rank",
        "How many directions matter. For weights, exp(−Σ p ln p), where p are the singular values divided by their sum; "
        "in document 002, Σλ / max λ for the eigenvalues λ of a covariance.",
    ),
    ("implicit bias", "Which of many solutions training finds, without a penalty. It decides about overfitting."),
    (
        "initialisation",
        "How weights are drawn or set before training. Gaussian weights whose variance is 1 over the number of inputs are "
        "near to Xavier's (Glorot's), twice that are He's (Kaiming's), for ReLU nets.",
    ),
    (
        "orthogonal",
        "A matrix that keeps lengths: all its singular values are equal, so that signals reach every depth.",
    ),
    (
        "ZerO",
        "An initialisation without chance: the identity, and Hadamard matrices (of ±1) where a layer becomes wider.",
    ),
    ("partial identity", "Ones on the diagonal, zeros elsewhere."),
    ("γ", "In document 003, the factor on the initial weights, whose standard deviation is γ/√(inputs + outputs)."),
    (
        "gain",
        "In document 002, inputs times the variance of a weight; in Saxe et al., the factor on a normalised matrix.",
    ),
    ("whitened", "Of inputs: in their principal components, each scaled to variance 1."),
    (
        "χ",
        "Chi, the normalised sensitivity (002): √(SNR at the input / SNR at a layer), where the image is the signal, with small "
        "noise. If χ grows exponentially, ln χ per layer is a Lyapunov exponent: noise explodes.",
    ),
    ("Jacobian", "Derivatives of all outputs of a net with respect to its inputs, as a matrix."),
    (
        "batch normalisation",
        "Batchnorm, or BN: subtracts from each unit or channel its mean over a batch of inputs, and divides by its standard deviation.",
    ),
    ("δχ", "Factor by which one layer, or one residual unit, multiplies χ."),
    ("residual unit", "Some layers beside a skip connection, which adds their input to their output (resnet)."),
    (
        "Hessian",
        "Second derivatives of the loss. The largest eigenvalue λ (sharpness) allows learning rates up to 2/λ.",
    ),
    (
        "edge of stability",
        "The sharpness 2 divided by the learning rate: beyond it, the loss of gradient descent swings or grows.",
    ),
    (
        "lazy",
        "Of nets that learn while their weights, and their neural tangent kernel (NTK), hardly move. The opposite is "
        "called active, rich, or feature learning.",
    ),
    (
        "balanced",
        "Of layers of equal size: the matrices WᵀW of one layer and WWᵀ of the layer before it are equal. Their difference "
        "is the imbalance, which gradient flow conserves in linear nets.",
    ),
    (
        "±",
        "The standard error (error bars, bands) of the mean over seeds. It does not cover what all seeds share, such as the data set.",
    ),
    ("erratum", "A mistake in a document itself, of substance or only of form. Each document's part lists its errata."),
)
# Rows: what is varied. Columns: what is measured. {claim} and {claim/part} are replaced by our numbers.
SUMMARY = (
    ("with", "test accuracy", "rank of what is learned", "learning time", "sensitivity to noise"),
    (
        "more depth",
        "↑ {depth_and_accuracy/1 layer} → {depth_and_accuracy/6 layers} % from 1 to 6 layers on the document's points, "
        "{depth_and_accuracy_on_other_data/1 layer} → {depth_and_accuracy_on_other_data/6 layers} % on our draws (000)",
        "↓ {depth_and_rank/1 layer} → {depth_and_rank/6 layers} from 1 to 6 layers (000)",
        "depends on the initial scale γ: 3 layers take {depth_reverses_with_the_start/at 1} times as long as 2 at "
        "γ = 1, and {depth_reverses_with_the_start/at 0.2} times as long at γ = 0.2 (003, η = 10)",
        "↑ {depth_and_sensitivity/batch norm} powers of ten over 200 layers with batch normalisation; "
        "{depth_and_sensitivity/vanilla} without (002)",
    ),
    (
        "larger initial weights",
        "↓ {scale_and_accuracy/near zero} → {scale_and_accuracy/times 1000} % from near zero to 1000 times the "
        "standard (000)",
        "↑ {scale_and_rank/near zero} → {scale_and_rank/times 1000} (000)",
        "↓ with γ = 0.2, a net takes {scale_and_time} times as long as with γ = 1 (003, η = 10)",
        "in orthogonal tanh nets of 100 layers, mean ln σ is larger by {gain_and_sensitivity} at gain 1.1 than at 0.9 "
        "(Saxe et al.)",
    ),
    (
        "more width",
        "↑ by {width_and_accuracy} points from 256 to 1,024 units (004)",
        "↑ {width_and_rank/256} → {width_and_rank/1024} up to 1,024 units (004)",
        "not studied",
        "↓ over 200 vanilla layers, {width_and_sensitivity} powers of ten less with 512 channels than with 64 (002)",
    ),
    (
        "another initialisation",
        "– compared with the partial identity, {kind_and_accuracy/ZerO} points from ZerO and "
        "{kind_and_accuracy/random} from random weights (004)",
        "{kind_and_rank/partial identity} from the partial identity, {kind_and_rank/ZerO} from ZerO; random weights "
        "have full rank, {kind_and_rank/random}, before training too (004)",
        "Gaussian layers take {kind_and_time} times as long as orthogonal ones, at 10 layers of 100 units (Saxe et al.)",
        "mean ln σ is {kind_and_sensitivity/Gaussian} for products of 100 Gaussian matrices, and 0 up to rounding for "
        "orthogonal ones (Saxe et al.)",
    ),
)
