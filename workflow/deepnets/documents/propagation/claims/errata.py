"""Errata of document 002."""

from deepnets.claims.claim import Erratum
from deepnets.claims.section import Section
from deepnets.documents.propagation.printed import READINGS


def errata() -> list[Erratum]:
    """Return the errors in the document, in its order."""
    return [
        Section('"Batch-Normalized ResNets", picture (b)').erratum(
            "power_law_without_its_factor",
            "The curve labelled l^τ is C·l^τ with a fitted C.",
            "The mean of the increments in (a) is 1.204, so τ = (1.204⁴ − 1)/2 = 0.55 and 500^τ = 30.6, but the curve "
            f"ends at {READINGS['resnet_sensitivity'][500].value}. The authors' code multiplies l^τ by `const`.",
        ),
        Section('"Batch-Normalized ResNets", "Suitable Choices of Architectures"').erratum(
            "share_of_the_sum",
            "1/(l + 1) is the share of the residual branch in the variance of the sum. The ratio of the residual "
            "branch to the skip connection is 1/l; the two are equal only in the limit of large depth.",
            "If the signal before a unit has l equal parts and the branch adds one, the ratio is 1/l and the share is "
            "1/(l + 1). The bounds (1 + 2τ/(l + 1))^½ follow from the share: residual_branch_is_diluted.",
        ),
        Section('"Data Randomness (III)"').erratum(
            "typical_rank_of_targets",
            "The number of classes minus 1 is the largest effective rank of one-hot targets, not their typical one.",
            "For frequencies p the covariance is diag(p) − p pᵀ, whose non-zero eigenvalues are equal only if all p "
            "are equal: rank_of_one_hot_targets. MNIST's classes differ in frequency, and its targets have an "
            "effective rank of 8.1.",
        ),
        Section('"Batch-Normalized Feedforward Nets"').erratum(
            "unequal_notation",
            "The notation of the increments changes between bullets: the index BN or φ moves from δ to χ.",
            "The bounds contain δ_BN χ^l and δ_φ χ^l; the two bullets below contain δχ^l_BN and δχ^l_φ.",
            form=True,
        ),
        Section('"Further Notation and Assumption (I)"').erratum(
            "undefined_symbol",
            "The symbol “≲” is not defined: in the text of the slides, its definition contains “≤” instead.",
            "“We write a ≤ b when a(1 + ε_a) ≤ b(1 + ε_b)”; the bounds of all later slides contain “≲”.",
            form=True,
        ),
        Section('"Suitable Choices of Architectures"').erratum(
            "bernoulli",
            "Bernoulli is misspelt.",
            "“random Bernouilli vector”.",
            form=True,
        ),
        Section('"Expressivity"').erratum(
            "twice_cited",
            "Bianchini et al. (2014) is cited twice in one list.",
            "“… Bianchini et al., 2014; Raghu et al., 2017; Poole et al., 2016; Bianchini et al., 2014, …”.",
            form=True,
        ),
        Section("all pictures of curves").erratum(
            "pictures_without_axes",
            "The axes have no labels, and the slides do not state the widths, depths, batch sizes and data set, or "
            "what the bands are.",
            "The authors' code contains the missing values: 128 or 512 channels, depths of 200 and 500, CIFAR-10, "
            "and bands from the 16th to the 84th percentile of simulations around the mean.",
            form=True,
        ),
        Section('"Thank you!", Code').erratum(
            "standardised_by_feature",
            "For fully connected nets, the linked code standardises each pixel separately. It divides by 0 if a pixel "
            "has the same value in all images of a batch, as at MNIST's border.",
            "run_experiment.py: (signal − signal.mean(axis=(0, 1, 2))) / signal.std(axis=(0, 1, 2)); with "
            "kernel_size 1, each pixel is a channel.",
        ),
    ]
