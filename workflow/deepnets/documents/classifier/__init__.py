"""A simple classification task where deeper is better: a blog post on implicit bias."""

ID = "000-classifier"
TITLE = "A simple classification task where deeper is better"
SOURCE = "a blog post on implicit bias"
ABOUT = (
    "A hundred points in ten dimensions belong to ten classes; the class is the direction of the first two features, "
    "and the other eight features only confuse. A linear classifier fits the training points and fails on new ones. "
    "Products of matrices that start near zero are linear too, but generalise better, and more matrices better than "
    "few: gradient descent finds products of low rank."
)
FINDING = (
    "More layers make a linear classifier better, although it stays linear: its test accuracy is {linear_accuracy} % "
    "with one layer, {two_layers_accuracy} % with two, and {accuracies_by_depth/depth 6} % with six."
)
EQUATION = r"W = W_1 W_2 \cdots W_L, \qquad \hat{y}(x) = \operatorname{argmax}_i \, (x W)_i"
MEANING = "A net of L layers predicts the class whose column of the product W has the largest inner product with x."
DIFFERENCES = (
    "The runs replay the document's own random numbers: its points and all initial weights. The document drew its last "
    "figure with the learning rate 0.1, not with that of its code, and so do we.",
    "Not in the document: 20 draws of the points, and other learning rates and thresholds.",
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
