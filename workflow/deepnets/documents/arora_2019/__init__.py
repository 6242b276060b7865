ID = "arora-2019"
TITLE = "Implicit regularization in deep matrix factorization"
SOURCE = "the paper that document 000 builds on (Arora, Cohen, Hu and Luo 2019)"
ABOUT = (
    "Matrix completion recovers a matrix from some of its entries; many matrices fit these entries. Gradient descent "
    "on a product of matrices that starts near zero finds one of low rank, and more factors strengthen this "
    "preference. The reason is that large singular values grow faster than small ones."
)
FINDING = (
    "Depth prefers low rank: in matrix completion, a second factor changes the effective rank by "
    "{rank_falls_with_depth/depth 2 less depth 1}, and a third by {rank_falls_with_depth/depth 3 less depth 2}."
)
EQUATION = (
    r"\dot{\sigma}_r = -N \left(\sigma_r^2\right)^{1 - 1/N} \left\langle \nabla \ell(W),\, u_r v_r^\top "
    r"\right\rangle"
)
MEANING = (
    "A singular value σ of a product of N factors moves along the gradient's component on its singular vectors u and "
    "v, at a rate that grows with σ."
)
DIFFERENCES = (
    "We run only the paper's experiments on synthetic matrices.",
    "We use plain gradient descent with one fixed learning rate per depth. The authors' optimiser adapts its rate.",
)
# The document and its sources, in the format of CITATION.cff.
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
