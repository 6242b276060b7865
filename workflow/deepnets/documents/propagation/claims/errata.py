"""What is wrong in document 002 itself."""

from workflow.deepnets.claims.claim import Erratum


def errata() -> list[Erratum]:
    """Return the faults of the document, in its order."""
    return [
        Erratum(
            name="power_law_without_its_factor",
            place='"Batch-Normalized ResNets", picture (b)',
            statement="The curve labelled l^τ is C·l^τ with a fitted C.",
            evidence=(
                "The increments in (a) average 1.204, so τ = (1.204⁴ − 1)/2 = 0.55 and 500^τ = 30.6, where the curve "
                "ends at 33.5; the authors' code multiplies by `const`."
            ),
        ),
        Erratum(
            name="share_of_the_sum",
            place='"Batch-Normalized ResNets", "Suitable Choices of Architectures"',
            statement=(
                "1/(l + 1) is the branch's share in the variance of the sum. The ratio of residual to skip-connection "
                "path is 1/l, which is the same for large depths only."
            ),
            evidence=(
                "With l equal parts before a unit and one added, the ratio is 1/l and the share 1/(l + 1); the bounds "
                "(1 + 2τ/(l + 1))^½ follow from the share: residual_branch_is_diluted."
            ),
        ),
        Erratum(
            name="typical_rank_of_targets",
            place='"Data Randomness (III)"',
            statement="The number of classes minus 1 is the largest effective rank that one-hot targets have.",
            evidence=(
                "For frequencies p the covariance is diag(p) − p pᵀ, whose non-zero eigenvalues are equal for equal p "
                "only: rank_of_one_hot_targets, rank_of_one_hot_targets_of_mnist."
            ),
        ),
        Erratum(
            name="unequal_notation",
            place='"Batch-Normalized Feedforward Nets"',
            statement="The increments change their notation between two bullets: the index BN or φ moves from δ to χ.",
            evidence="δ_BN χ^l and δ_φ χ^l in the bounds; δχ^l_BN and δχ^l_φ in the two bullets below them.",
        ),
        Erratum(
            name="undefined_symbol",
            place='"Further Notation and Assumption (I)"',
            statement="In the text of the slides the sentence that is to define “≲” defines “≤”.",
            evidence="“We write a ≤ b when a(1 + ε_a) ≤ b(1 + ε_b)”; the bounds of all later slides have ≲.",
        ),
        Erratum(
            name="bernoulli",
            place='"Suitable Choices of Architectures"',
            statement="Bernoulli is misspelt.",
            evidence="“random Bernouilli vector”.",
        ),
        Erratum(
            name="twice_cited",
            place='"Expressivity"',
            statement="Bianchini et al. (2014) stands twice in one list of citations.",
            evidence="“… Bianchini et al., 2014; Raghu et al., 2017; Poole et al., 2016; Bianchini et al., 2014, …”.",
        ),
        Erratum(
            name="pictures_without_axes",
            place="all pictures of curves",
            statement=(
                "The axes have no labels, and the slides name neither widths, depths, batches nor images, nor say what "
                "the bands are."
            ),
            evidence=(
                "The pictures; the authors' code has them: 128 or 512 channels, depths of 200 and 500, CIFAR-10, "
                "and the 16th to 84th percentiles of simulations around the mean."
            ),
        ),
        Erratum(
            name="standardised_by_feature",
            place='"Thank you!", Code',
            statement=(
                "The linked code standardises fully connected inputs pixel by pixel and divides by 0 where a pixel is "
                "the same in all images of a batch, as MNIST's border is."
            ),
            evidence=(
                "run_experiment.py: (signal − signal.mean(axis=(0, 1, 2))) / signal.std(axis=(0, 1, 2)), where "
                "kernel_size 1 has made each pixel a channel."
            ),
        ),
    ]
