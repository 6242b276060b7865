"""The dynamics of learning in deep linear networks: a notebook on the paper of Saxe, McClelland and Ganguli (2013)."""

ID = "001-mnist-dynamics"
TITLE = "The dynamics of learning in deep linear networks"
SOURCE = "a notebook on the paper of Saxe, McClelland and Ganguli (2013)"
ABOUT = (
    "A linear net with one hidden layer learns the digits of MNIST, whose images are first whitened: projected on "
    "their main directions and scaled to equal variance. The net then sees the data only through one matrix, the "
    "covariance of labels and images. So the same course of learning follows from the images themselves and from "
    "that matrix alone, at a fraction of the cost."
)
FINDING = (
    "A deep linear net learns MNIST from covariances, without single images: after 100 updates it classifies "
    "{accuracies/after 100} % of the training images correctly."
)
EQUATION = (
    r"\tau \frac{d W_1}{dt} = W_2^\top \left(\Sigma_{yx} - W_2 W_1 \Sigma_{xx}\right), \qquad \tau \frac{d W_2}{dt} "
    r"= \left(\Sigma_{yx} - W_2 W_1 \Sigma_{xx}\right) W_1^\top"
)
MEANING = (
    "The two matrices of weights change in the direction in which labels and images still covary; whitening makes "
    "the covariance of the images the identity."
)
DIFFERENCES = (
    "The text speaks of 1,000 images and 100 hidden units; the code has 50,000 and 32, and so have we.",
    "The code updates weights in place, the text does not. The main runs follow the text, and one grid follows "
    "the code.",
    "The document's learning rate 10⁻⁶ multiplies a sum over 50,000 images. Our 0.1 multiplies the mean and "
    "includes the factor 2 of the square's derivative. The steps are the same.",
    "The document sets no seed for its initial weights. We run seeds of our own and give their spread.",
)
# As CITATION.cff would list them: the document, and what it builds on.
WORKS = (
    {
        "title": "The dynamics of learning in deep linear networks",
        "kind": "generic",
        "authors": ("the author of the notebook",),
        "year": "",
        "url": "",
        "notes": "Document 001",
    },
)
