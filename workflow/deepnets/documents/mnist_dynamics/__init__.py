ID = "001-mnist-dynamics"
TITLE = "The dynamics of learning in deep linear networks"
SOURCE = "a notebook on the paper of Saxe, McClelland and Ganguli (2013)"
ABOUT = (
    "A linear net with one hidden layer learns MNIST. The images are first whitened: projected on their principal "
    "directions and scaled to equal variance. The gradient then depends on the data only through one matrix, the "
    "covariance of labels and images. Training on this matrix gives the same net as training on all images, "
    "at a fraction of the cost."
)
FINDING = (
    "A deep linear net learns MNIST from covariances only: after 100 updates it classifies {accuracies/after 100} % of "
    "the training images correctly."
)
EQUATION = (
    r"\tau \frac{d W_1}{dt} = W_2^\top \left(\Sigma_{yx} - W_2 W_1 \Sigma_{xx}\right), \qquad \tau \frac{d W_2}{dt} "
    r"= \left(\Sigma_{yx} - W_2 W_1 \Sigma_{xx}\right) W_1^\top"
)
MEANING = (
    "Both weight matrices change as long as the errors of the net covary with the images. Whitening makes the "
    "covariance of the images, Σxx, the identity."
)
# For README.md: what is compared, the claims, and the form of a number.
NUMBERS = (("001: training accuracy after 100 updates", ("accuracies/after 100",), "{} %"),)
DIFFERENCES = (
    "The document's text gives 1,000 images and 100 hidden units; its code has 50,000 images and 32 hidden units. We "
    "use the code's numbers.",
    "The document's code updates weights in place; its text describes updates without this. Our main runs follow the "
    "text, and one grid follows the code.",
    "The document's learning rate 10⁻⁶ multiplies a sum over 50,000 images. Our rate 0.1 multiplies a mean "
    "over images and includes the factor 2 of the square's derivative. Both rates give the same steps.",
    "The document sets no seed for its initial weights. We run several seeds and give the spread over seeds.",
)
# The document and its sources, in the format of CITATION.cff.
WORKS = (
    {
        "title": "The dynamics of learning in deep linear networks",
        "kind": "generic",
        "authors": ("the author of the notebook",),
        "year": "",
        "url": "https://github.com/lukearend/linear-gradient-descent",
        "notes": "Document 001; the repository contains other versions of the notebook",
    },
)
