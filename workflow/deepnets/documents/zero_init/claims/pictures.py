"""The claims on the pictures of the authors' own notebook, read off: nets without biases, trained for 20 epochs."""

import numpy as np

from workflow.deepnets.claims.claim import Claim
from workflow.deepnets.claims.criteria import Every, Near
from workflow.deepnets.claims.evidence import Evidence
from workflow.deepnets.claims.measures import at_step, of_paper_size
from workflow.deepnets.claims.section import READ_OFF, Section
from workflow.deepnets.documents.zero_init.runs import AUTHORS, FIRST_EPOCH, LAST_EPOCH, RIGHT
from workflow.deepnets.tables.rows import require_rows

# Half the width of a line, in ranks: of the left picture, and of the right one, whose scale is coarser.
_LEFT_LINE, _RIGHT_LINE = 4.0, 10.0
# Of the lines of the left picture, by width: the ranks at the last logs of the first and of the last epoch.
_LEFT_RANKS = {256: (128, 154), 512: (331, 376), 1024: (502, 572), 2048: (502, 572)}
_RIGHT_RANKS = (833, 1075)


def pictures() -> list[Claim]:
    """Return the claims on the left picture, partial identities by width, and on the right one, inits."""
    left = Section('"Figure 3 (left)", the authors\' picture', "figure_3_left_without_bias", needs_full_mnist=True)
    right = Section('"Figure 3 (right)", the authors\' picture', "figure_3_right_without_bias", needs_full_mnist=True)
    return [
        *(
            claim
            for width, ranks in _LEFT_RANKS.items()
            for claim in _ranks(left, "partial", "The partial identity", width, "partial_identity", ranks, _LEFT_LINE)
        ),
        *_ranks(right, "zero", "ZerO", 2048, "zero", _RIGHT_RANKS, _RIGHT_LINE),
        left.trend(
            "wider_nets_gain_more_rank",
            "Up to the 784 inputs, a wider net gains more rank.",
            _gains_with_width,
            Every(least=1),
            because="Lines that do not touch in the picture: behind an epoch each wider net is above the narrower.",
        ),
        left.bound(
            "lines_of_1024_and_2048_coincide",
            "Beyond the 784 inputs width makes no difference: one line hides the other.",
            of_paper_size(_difference_beyond_inputs),
            Every(greatest=2 * _LEFT_LINE),
            because="Hidden is what differs by less than the width of a line, 8 ranks, at each log.",
        ),
        right.bound(
            "random_keeps_full_rank",
            "The line of the random init is flat at n_h, from the first log to the last.",
            _least_share_of_full_rank,
            Every(0.99, 1),
            because="The line is 20 ranks thick, 1 % of 2048; measured is the least rank over n_h, also at n_h = 1024.",
            printed="2048 (read off)",
        ),
    ]


def _ranks(
    section: Section, line: str, name: str, width: int, init: str, ranks: tuple[int, int], error: float
) -> list[Claim]:
    """Claim the ranks of a line at the ends of two epochs. error: half the width of the line."""
    moments = (
        ("epoch_1", "at the last log of the first epoch", FIRST_EPOCH),
        ("epoch_20", "at the last log of epoch 20", LAST_EPOCH),
    )
    return [
        section.number(
            f"picture_of_{line}_{width}_{moment}",
            f"{name} at n_h = {width}, without biases, has rank {{}} {words}.",
            of_paper_size(at_step("zero_init", "rank", step, **AUTHORS, width=width, init=init)),
            Near(rank, error=error),
            because=(
                "The order of the images is the authors' (seed 1). The picture can be read to half the width of a "
                "line; three times that leaves room for what rounding does to a rank."
            ),
            printed=READ_OFF,
        )
        for (moment, words, step), rank in zip(moments, ranks, strict=True)
    ]


def _gains_with_width(evidence: Evidence) -> np.ndarray:
    """Measure by how much the rank after the first epoch grows from each width to the next."""
    ranks = [
        at_step("zero_init", "rank", FIRST_EPOCH, **AUTHORS, width=width, init="partial_identity")(evidence)
        for width in (256, 512, 1024)
    ]
    return np.diff(ranks, axis=0).ravel()


def _difference_beyond_inputs(evidence: Evidence) -> np.ndarray:
    """Measure by how much the ranks at n_h = 1024 and at 2048 differ, at each log."""
    narrow, wide = (
        require_rows(evidence.runs("zero_init", **AUTHORS, width=width, init="partial_identity"), "rank")
        .groupby("step")["value"]
        .first()
        for width in (1024, 2048)
    )
    return narrow.sub(wide).abs().to_numpy()


def _least_share_of_full_rank(evidence: Evidence) -> np.ndarray:
    """Measure the least rank of each width over the width."""
    ranks = require_rows(evidence.runs("zero_init", **AUTHORS, init="random", width=[RIGHT, 2048]), "rank")
    least = ranks.groupby("width")["value"].min()
    return least.to_numpy() / least.index.to_numpy()
