ID = "synthesis"
TITLE = "What depth and initialisation do, across the documents"
SOURCE = "this project's own summary of all documents"
ABOUT = (
    "Each document studies depth or initialisation in its own setting. The figures below compare their results. The "
    "statements next to the figures are in our words: some are a document's, others compare documents. They are judged "
    "like all claims but counted separately."
)
OPENING = "small_net"
# The top of the page. A number is rounded; |power at its end writes ten to this number. If it is missing, the page says
# which runs these results lack.
ANSWER = (
    "Depth and small initial weights make a net learn few directions at a time, and thus simple solutions; but deep "
    "linear nets learn quickly only from a start that preserves signals in every direction."
)
ANSWERS = (
    {
        "question": "Does depth help?",
        "sentence": "Yes, if the task has low rank. Deeper linear nets generalise better: from 1 to 6 layers, test "
        "accuracy rises from {synthesis/depth_and_accuracy/1 layer} to {synthesis/depth_and_accuracy/6 layers} % on the "
        "document's points, and from {synthesis/depth_and_accuracy_on_other_data/1 layer} to "
        "{synthesis/depth_and_accuracy_on_other_data/6 layers} % in the mean over further draws of the points.",
        "runs": "the nets of 1 and of 6 layers, on the document's points and on further draws",
        "figure": "000-classifier/accuracy_by_depth",
    },
    {
        "question": "What does a small start do?",
        "sentence": "The net learns its modes one by one. From weights near zero, the second singular value appears "
        "{000-classifier/modes_come_one_by_one} updates after the first, in the mean over our draws of the points.",
        "runs": "the nets of 3 layers that start near zero, on our draws of the points",
        "figure": "000-classifier/singular_values_near_zero",
    },
    {
        "question": "Which start keeps deep linear nets learnable?",
        "sentence": "An orthogonal one. Nets of 100 layers take {saxe-2013/times_from_3_layers/orthogonal} times as "
        "long as nets of 3. From a Gaussian start, nets of 10 layers already take {synthesis/kind_and_time} times as "
        "long as orthogonal ones, with 100 units in each hidden layer.",
        "runs": "orthogonal nets of 3, 10 and 100 layers, and Gaussian nets of 10 layers",
        "figure": "saxe-2013/learning_times",
    },
    {
        "question": "Does batch normalisation make noise explode?",
        "sentence": "Without skip connections, yes. The ratio of noise to signal grows by a factor of "
        "{002-propagation/feedforward_sensitivity|power} over 200 layers, but only of "
        "{002-propagation/resnet_sensitivity} over 500 residual units.",
        "runs": "batch-normalised nets of 200 layers, and of 500 residual units",
        "figure": "002-propagation/logarithmic_version",
    },
    {
        "question": "How does the largest learning rate depend on depth?",
        "sentence": "It falls. In ReLU nets of 256 units, it scales as depth to the power {largest-rate/relu_exponent} "
        "to first order in the rate, and {largest-rate/relu_exponent_of_real_updates} with real updates.",
        "runs": "ReLU nets of 2 to 64 hidden layers",
        "figure": "largest-rate/rates_by_depth",
    },
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
