"""What is wrong in document 002 itself."""

from workflow.deepnets.claims.claim import Erratum
from workflow.deepnets.claims.section import Section
from workflow.deepnets.documents.propagation.printed import READINGS


def errata() -> list[Erratum]:
    """Return the faults of the document, in its order."""
    return [
        Section('"Batch-Normalized ResNets", picture (b)').erratum(
            "power_law_without_its_factor",
            "The curve labelled l^τ is C·l^τ with a fitted C.",
            "The increments in (a) average 1.204, so τ = (1.204⁴ − 1)/2 = 0.55 and 500^τ = 30.6, where the curve "
            f"ends at {READINGS['resnet_sensitivity'][500].value}; the authors' code multiplies by `const`.",
        ),
        Section('"Batch-Normalized ResNets", "Suitable Choices of Architectures"').erratum(
            "share_of_the_sum",
            "1/(l + 1) is the branch's share in the variance of the sum. The ratio of residual to skip-connection "
            "path is 1/l, which is the same for large depths only.",
            "With l equal parts before a unit and one added, the ratio is 1/l and the share 1/(l + 1); the bounds "
            "(1 + 2τ/(l + 1))^½ follow from the share: residual_branch_is_diluted.",
        ),
        Section('"Data Randomness (III)"').erratum(
            "typical_rank_of_targets",
            "The number of classes minus 1 is the largest effective rank that one-hot targets have.",
            "For frequencies p the covariance is diag(p) − p pᵀ, whose non-zero eigenvalues are equal for equal p "
            "only: rank_of_one_hot_targets. MNIST's, which differ in frequency, have an effective rank of 8.1.",
        ),
        Section('"Batch-Normalized Feedforward Nets"').erratum(
            "unequal_notation",
            "The increments change their notation between two bullets: the index BN or φ moves from δ to χ.",
            "δ_BN χ^l and δ_φ χ^l in the bounds; δχ^l_BN and δχ^l_φ in the two bullets below them.",
            form=True,
        ),
        Section('"Further Notation and Assumption (I)"').erratum(
            "undefined_symbol",
            "In the text of the slides the sentence that is to define “≲” defines “≤”.",
            "“We write a ≤ b when a(1 + ε_a) ≤ b(1 + ε_b)”; the bounds of all later slides have ≲.",
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
            "The axes have no labels, and the slides name neither widths, depths, batches nor images, nor say what "
            "the bands are.",
            "The pictures; the authors' code has them: 128 or 512 channels, depths of 200 and 500, CIFAR-10, "
            "and the 16th to 84th percentiles of simulations around the mean.",
            form=True,
        ),
        Section('"Thank you!", Code').erratum(
            "standardised_by_feature",
            "The linked code standardises fully connected inputs pixel by pixel and divides by 0 where a pixel is "
            "the same in all images of a batch, as MNIST's border is.",
            "run_experiment.py: (signal − signal.mean(axis=(0, 1, 2))) / signal.std(axis=(0, 1, 2)), where "
            "kernel_size 1 has made each pixel a channel.",
        ),
    ]
