"""Arora, Cohen, Hu and Luo 2019: the paper behind document 000."""

ID = "arora-2019"
TITLE = "Implicit regularization in deep matrix factorization"
SOURCE = "the paper behind document 000 (Arora, Cohen, Hu and Luo 2019)"
ABOUT = (
    "A matrix is to be completed from some of its entries; many matrices fit. Gradient descent on a product of "
    "matrices, started near zero, finds one of low rank, and the more factors there are, the more strongly. The "
    "reason is in how singular values move: large ones run ahead and small ones stay behind."
)
FINDING = (
    "Depth prefers low rank: when a matrix is completed from a part of its entries, a second factor changes the "
    "effective rank by {rank_falls_with_depth/depth 2 less depth 1}, and a third by {rank_falls_with_depth/depth 3 "
    "less depth 2}."
)
EQUATION = (
    r"\dot{\sigma}_r = -N \left(\sigma_r^2\right)^{1 - 1/N} \left\langle \nabla \ell(W),\, u_r v_r^\top "
    r"\right\rangle"
)
MEANING = (
    "Singular value σ of a product of N factors moves by the gradient along its own singular vectors u and v, at a "
    "speed that grows with the value itself."
)
DIFFERENCES = (
    "Of the paper's experiments we run those on synthetic matrices.",
    "We use plain gradient descent with one fixed rate per depth. The authors' optimiser adapts its rate.",
)
# As CITATION.cff would list them: the document, and what it builds on.
WORKS = (
    {
        "title": "Implicit Regularization in Deep Matrix Factorization",
        "kind": "conference-paper",
        "authors": ("Sanjeev Arora", "Nadav Cohen", "Wei Hu", "Yuping Luo"),
        "year": "2019",
        "url": "https://arxiv.org/abs/1905.13655",
        "notes": "arXiv:1905.13655; the paper that document 000 builds on",
    },
)
