"""Errata of the paper."""

from deepnets.claims.claim import Erratum
from deepnets.claims.section import Section


def errata() -> list[Erratum]:
    """Return the errata of the paper, with errors of substance first."""
    return [
        Section("Appendix A, eqs. 23 to 26").erratum(
            "half_of_the_singular_value",
            "The closed form for unequal layers contains s instead of 2s: by this form, modes would end at s/2.",
            "With a = √c₀ cosh(θ/2) and b = √c₀ sinh(θ/2), ab is (c₀/2) sinh θ, not c₀ sinh θ, and eq. 8 becomes "
            "τ θ′ = 2s − c₀ sinh θ. The claims ends_of_learning and unequal_layers use the corrected form.",
        ),
        Section("Section 3, Figure 6A").erratum(
            "uniform_or_gaussian",
            "The scaled random weights are Gaussian according to the text, but uniform according to the caption.",
            "The text has “each weight i.i.d. from a zero mean Gaussian with standard deviation 1/√N” and refers to "
            "the blue curve, but the caption describes this curve as “scaled i.i.d. uniform weights”. Our weights are "
            "Gaussian.",
        ),
        Section("Appendix C").erratum(
            "threshold_of_half_the_error",
            "The threshold 1.3e4 cannot apply to the squared error Σ‖y − Wx‖² of Section 1: no linear map of "
            "whitened images has an error below this threshold.",
            "The squared error of the best linear map is 2.58e4 (optimal_loss, 0.0516, times 500,000). Half of "
            "the squared error, as in eqs. 6 and 9, falls below the threshold just before learning is complete.",
        ),
        Section("Figure 3, caption").erratum(
            "powers_of_ten",
            "The learning rate 0.5e⁻³ and the initial strength 1e⁻⁶ are printed as powers of e instead of 10.",
            "At the rate η = 0.5 · e⁻³ = 0.025, gradient descent would be unstable: for our first mode, with s = 79, "
            "ηs is 2, but must be below 1.",
            form=True,
        ),
        Section("Appendix B, eqs. 27 and 32").erratum(
            "missing_squares",
            "The energy (s − Πa)/(2τ) lacks a square: it is (s − Πa)²/(2τ).",
            "Eq. 14 contains the square, and eqs. 28 and 33 are the derivatives of the squared form.",
            form=True,
        ),
        Section("Sections 2 and 3").erratum(
            "missing_transposes",
            "Several matrices lack a transpose or are transposed wrongly, the wrong matrix is inverted, and one "
            "factor of a product has a wrong index.",
            "Section 3 contains Σ³¹ = U S V, V Σ¹¹ Vᵀ and Σ³¹(Σ³¹)⁻¹. By eq. 3, the correct forms are U S Vᵀ, Vᵀ Σ¹¹ "
            "V and Σ³¹(Σ¹¹)⁻¹. After eq. 13, the second-last factor of W^b … W^a is W^(a + 1), not W^(a − 1).",
            form=True,
        ),
    ]
