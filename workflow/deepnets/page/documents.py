"""What each document is about, in a few sentences and its main equation, for readers who have not read it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """A document or a paper.

    title, source: what it is called and what it is; about: three sentences of ours; equation: LaTeX of what its figures
    hang on; meaning: what the equation says, and its symbols.
    """

    title: str
    source: str
    about: str
    equation: str
    meaning: str


DOCUMENTS = {
    "000-classifier": Document(
        title="A simple classification task where deeper is better",
        source="a blog post on implicit bias",
        about=(
            "A hundred points in ten dimensions fall into ten classes by the direction of their first two features; "
            "the other eight features only confuse. A linear classifier fits the training points and fails on new "
            "ones. Products of several matrices, started near zero, compute the same kind of function and yet "
            "generalise better, the more so the more matrices there are, since gradient descent finds products of low "
            "rank."
        ),
        equation=r"W = W_1 W_2 \cdots W_L, \qquad \hat{y}(x) = \operatorname{argmax}_i \, (x W)_i",
        meaning="A net of L layers predicts the class whose column of the product W fits the input x best.",
    ),
    "001-mnist-dynamics": Document(
        title="The dynamics of learning in deep linear networks",
        source="a notebook on the paper of Saxe, McClelland and Ganguli (2013)",
        about=(
            "A linear net with one hidden layer learns the digits of MNIST, whose images are first whitened: projected "
            "on their main directions and scaled to equal variance. The net then sees the data only through one "
            "matrix, the covariance of labels and images. So the same course of learning follows from the images "
            "themselves and from that matrix alone, at a fraction of the cost."
        ),
        equation=(
            r"\tau \frac{d W_1}{dt} = W_2^\top \left(\Sigma_{yx} - W_2 W_1 \Sigma_{xx}\right), \qquad "
            r"\tau \frac{d W_2}{dt} = \left(\Sigma_{yx} - W_2 W_1 \Sigma_{xx}\right) W_1^\top"
        ),
        meaning=(
            "The two matrices of weights change in the direction in which labels and images still covary; whitening "
            "makes the covariance of the images the identity."
        ),
    ),
    "002-propagation": Document(
        title="On the inductive bias of various architectures of deep ReLU nets",
        source="Labatie's slides at ICML 2019",
        about=(
            "Images and a small noise on them pass through very deep nets with random weights, before any training. "
            "How much faster the noise grows than the signal, and in how many directions both still vary, tells what "
            "an architecture can still learn. The slides argue that plain nets lose all directions but one, that nets "
            "with batch normalisation let noise explode, and that residual nets with it do so only slowly."
        ),
        equation=(
            r"\chi^l = \sqrt{\frac{\mu_2(dx^l)}{\mu_2(x^l)}}, \qquad \delta\chi^l = \frac{\chi^l}{\chi^{l-1}}, \qquad "
            r"r_{\mathrm{eff}} = \frac{\sum_i \lambda_i}{\max_i \lambda_i}"
        ),
        meaning=(
            "χ, the normalised sensitivity, compares the variances of noise dx and signal x at layer l with those at "
            "the input, δχ is its growth from one layer to the next, and the effective rank counts the directions of "
            "variance λ that matter."
        ),
    ),
    "003-hierarchy": Document(
        title="Deep linear neural networks",
        source="a tutorial of Neuromatch Academy",
        about=(
            "Eight items, from animals to plants, have features that follow a tree: close relatives share most of "
            "them. A linear net with one hidden layer learns the tree from its root to its leaves, one level after "
            "the other, in sudden steps between plateaus. On the way it believes things that are false, such as that "
            "sharks have bones, because a coarse distinction is learned before the exception."
        ),
        equation=r"u_a(t) = \frac{s_a e^{2 s_a t/\tau}}{e^{2 s_a t/\tau} - 1 + s_a/u_a(0)}",
        meaning=(
            "The strength u of each mode, which is one direction of the data with singular value s, grows along a "
            "sigmoid; stronger modes are learned first."
        ),
    ),
    "004-zero": Document(
        title="ZerO initialisation",
        source="a notebook on the paper of Zhao, Schäfer and Anandkumar (2021)",
        about=(
            "A net of three layers that starts from the identity alone can never use more directions than its input "
            "has: the rank of what it learns is bounded. ZerO starts from zeros and ones as well, but rotates by a "
            "Hadamard matrix where the width grows. It is as deterministic as the identity and breaks that bound."
        ),
        equation=r"\operatorname{rank}\left(W_l(t) - I\right) \le n_x",
        meaning=(
            "From the partial identity, a square matrix of the net leaves its start, at any time t, in at most as many "
            "directions as the input has dimensions, n."
        ),
    ),
    "saxe-2013": Document(
        title="Exact solutions to the nonlinear dynamics of learning in deep linear neural networks",
        source="the paper behind document 001 (Saxe, McClelland and Ganguli 2013)",
        about=(
            "Deep linear nets compute linear functions, but they learn them along nonlinear paths with plateaus and "
            "sudden steps, for which the paper gives exact solutions. How long learning takes depends on depth and on "
            "the start: with the right start, orthogonal or pretrained, depth costs little. Products of random "
            "matrices show why Gaussian starts are slow, as they squeeze most directions to nothing."
        ),
        equation=r"\tau \frac{du}{dt} = (N_l - 1)\, u^{\,2 - 2/(N_l - 1)} \,(s - u)",
        meaning="The strength u of a mode with singular value s, in a net of N layers whose matrices are balanced.",
    ),
    "arora-2019": Document(
        title="Implicit regularization in deep matrix factorization",
        source="the paper behind document 000 (Arora, Cohen, Hu and Luo 2019)",
        about=(
            "A matrix is to be completed from some of its entries; many matrices fit. Gradient descent on a product of "
            "matrices, started near zero, finds one of low rank, and the more factors there are, the more strongly. "
            "The reason is in how singular values move: large ones run ahead and small ones stay behind."
        ),
        equation=(
            r"\dot{\sigma}_r = -N \left(\sigma_r^2\right)^{1 - 1/N} "
            r"\left\langle \nabla \ell(W),\, u_r v_r^\top \right\rangle"
        ),
        meaning=(
            "Singular value σ of a product of N factors moves by the gradient along its own singular vectors u and v, "
            "at a speed that grows with the value itself."
        ),
    ),
}
