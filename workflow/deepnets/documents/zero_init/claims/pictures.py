"""The claims on the figure that the authors of document 004 published: nets without biases, trained for 20 epochs."""

import numpy as np

from deepnets.claims.claim import Claim, Measure
from deepnets.claims.criteria import Criterion, Every, Near
from deepnets.claims.evidence import Evidence
from deepnets.claims.old_measures import of_paper_size
from deepnets.claims.section import READ_OFF, Section
from deepnets.documents.zero_init.measures import rank_without_biases, ranks_without_biases
from deepnets.documents.zero_init.runs import AUTHORS, FIRST_EPOCH, LAST_EPOCH, RIGHT
from deepnets.tables.rows import require_rows

# Width of a line, in ranks, in the left picture and in the right picture. The right picture has a coarser scale.
_LEFT_LINE, _RIGHT_LINE = 8.0, 20.0
# Width (or, at n_h = 2048, init) → ranks at the last log of the first epoch and at the last log of the last epoch.
_NARROW_RANKS = {256: (128, 154), 512: (331, 376), 1024: (502, 572)}
_WIDE_RANKS = {"partial_identity": (502, 572), "zero": (833, 1075)}
_ERROR = (
    "We use the authors' order of the images (seed 1). A line is {} ranks wide; the error is the standard deviation "
    "of a uniform distribution over this width. Three errors also cover the effect of rounding in float32."
)
_OLD_ERROR = (
    "Half the width of a line was taken for a standard error; the standard error of a value read off a line is 0.29 "
    "of the width."
)


def pictures() -> list[Claim]:
    """Return the claims on the left picture (partial identities by width) and on the right picture (inits)."""
    left = Section('"Figure 3 (left)", the authors\' picture', "figure_3_left_without_bias", needs_full_mnist=True)
    right = Section('"Figure 3 (right)", the authors\' picture', "figure_3_right_without_bias", needs_full_mnist=True)
    of_replay = left.of("rank of W₃ − I").with_replayed_draws()
    return [
        *(_claim_narrow_nets(of_replay, *moment) for moment in _MOMENTS),
        of_replay.numbers(
            "ranks_at_2048",
            "Without biases, at n_h = 2048, the rank of W₃ − I at the last logs of epochs 1 and 20 is {}: the first "
            "two values with partial identity, the last two with ZerO.",
            {
                f"{name}, {words}": _rank(2048, init, step, rank, line)
                for init, name, line in (
                    ("partial_identity", "partial identity", _LEFT_LINE),
                    ("zero", "ZerO", _RIGHT_LINE),
                )
                for (_, words, step), rank in zip(_MOMENTS, _WIDE_RANKS[init], strict=True)
            },
            because=_ERROR.format("8 (left picture) and 20 (right picture)"),
            printed=READ_OFF,
            revised=_OLD_ERROR,
        ),
        left.of("difference of ranks of W₃ − I")
        .with_replayed_draws()
        .bound(
            "lines_of_1024_and_2048_coincide",
            "Without biases, nets of n_h = 1024 and 2048 have the same rank of W₃ − I: one line hides the other.",
            of_paper_size(_difference_beyond_inputs),
            Every(greatest=_LEFT_LINE),
            because=(
                "A line hides a second line if at each log the two differ by less than the width of a line, 8 ranks."
            ),
        ),
        right.of("smallest rank of W₃ − I, divided by n_h").bound(
            "random_keeps_full_rank",
            "Without biases, the rank of W₃ − I with random weights is n_h (2048 in the picture) at all logs.",
            _least_share_of_full_rank,
            Every(0.99, 1),
            because=(
                "The line at n_h = 2048 is 20 ranks wide, 1 % of n_h. We measure at n_h = 1024, and at 2048 with "
                "configs/paper_size.yaml."
            ),
        ),
    ]


# The logs at which ranks were read off: name in claim ids, words, and update.
_MOMENTS = (("epoch_1", "epoch 1", FIRST_EPOCH), ("epoch_20", "epoch 20", LAST_EPOCH))


def _claim_narrow_nets(section: Section, name: str, words: str, step: int) -> Claim:
    """Return the claim on ranks of nets of at most 1,024 units, at one of the logs in `_MOMENTS`."""
    moment = [moment for moment, _, _ in _MOMENTS].index(name)
    return section.numbers(
        f"ranks_after_{name}",
        f"Without biases, with partial identity, the rank of W₃ − I is {{}} at n_h = 256, 512, 1024 at the last log of "
        f"{words}.",
        {
            f"n_h = {width}": _rank(width, "partial_identity", step, pair[moment], _LEFT_LINE)
            for width, pair in _NARROW_RANKS.items()
        },
        because=_ERROR.format("8"),
        printed=READ_OFF,
        revised=_OLD_ERROR,
    )


def _rank(width: int, init: str, step: int, rank: int, line: float) -> tuple[Measure, Criterion]:
    error = float(f"{line / np.sqrt(12):.2g}")
    return of_paper_size(rank_without_biases(width, init, step)), Near(rank, error=error)


def _difference_beyond_inputs(evidence: Evidence) -> np.ndarray:
    """Measure the difference between the ranks at n_h = 1024 and at n_h = 2048, at each log."""
    narrow, wide = (ranks_without_biases(evidence, width, "partial_identity") for width in (1024, 2048))
    return narrow.sub(wide).abs().to_numpy()


def _least_share_of_full_rank(evidence: Evidence) -> np.ndarray:
    """Measure the smallest rank at each width, divided by the width."""
    ranks = require_rows(
        evidence.runs("zero_init", **AUTHORS, block="inits_without_bias", init="random", width=[RIGHT, 2048]), "rank"
    )
    least = ranks.groupby("width")["value"].min()
    return least.to_numpy() / least.index.to_numpy()
