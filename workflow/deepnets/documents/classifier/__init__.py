ID = "000-classifier"
TITLE = "A simple classification task where deeper is better"
SOURCE = "a blog post on implicit bias"
ABOUT = (
    "A hundred points in ten dimensions belong to ten classes. The direction of the first two features determines the "
    "class; the remaining eight features only confuse. A linear classifier fits the training points and fails on new "
    "points. A product of matrices that start near zero is linear too, but generalises better. More matrices "
    "generalise better than few, because gradient descent finds products of low rank. None of these nets is a ReLU net."
)
FINDING = (
    "More layers make a linear classifier better, although it stays linear: on the document's points, its test accuracy "
    "is {linear_accuracy} % with one layer, {two_layers_accuracy} % with two, and {accuracies_by_depth/depth 6} % with six."
)
EQUATION = r"W = W_1 W_2 \cdots W_L, \qquad \hat{y}(x) = \operatorname{argmax}_i \, (x W)_i"
MEANING = "A net of L layers predicts the class whose column of the product W has the largest inner product with x."
# For README.md: what is compared, the claims, and the form of a number.
NUMBERS = (
    (
        "000: test accuracy with one layer, two layers, and rank 2",
        ("linear_accuracy", "two_layers_accuracy", "rank_2_accuracy"),
        "{} %",
    ),
    (
        "000: test accuracy with three and with six layers",
        ("accuracies_by_depth/depth 3", "accuracies_by_depth/depth 6"),
        "{} %",
    ),
)
DIFFERENCES = (
    "The runs replay the document's own random numbers: its points and all initial weights. The document's code "
    "has another learning rate than its last figure, which was drawn with 0.1; we draw this figure with 0.1 too.",
    "We add to the document: 20 further draws of the points, and smaller learning rates and thresholds.",
)
# The document and its sources, in the format of CITATION.cff.
WORKS = (
    {
        "title": "A simple classification task where deeper is better",
        "kind": "generic",
        "authors": ("the author of the blog",),
        "year": "",
        "url": "",
        "notes": "Document 000",
    },
)
