"""What the documents say together about depth and initialisation: this project's own summary."""

ID = "synthesis"
TITLE = "What depth and initialisation do, across the documents"
SOURCE = "this project's own summary of all documents"
ABOUT = (
    "Each document studies depth or initialisation in a setting of its own. The figures below put their results side "
    "by side. The statements beside them are ours, not those of a document. They are judged by criteria, like all "
    "others, and counted apart."
)
OPENING = "depth_and_start"
# Columns: what changes. Rows: with what it changes. {claim} and {claim/part} stand for our numbers.
SUMMARY = (
    ("with", "test accuracy", "rank of what is learned", "learning time", "sensitivity to noise"),
    (
        "more depth",
        "↑ {depth_and_accuracy/1 layer} → {depth_and_accuracy/6 layers} % from 1 to 6 layers (000)",
        "↓ {depth_and_rank/1 layer} → {depth_and_rank/6 layers} from 1 to 6 layers (000)",
        "depends on the start: 3 layers take {depth_reverses_with_the_start/at 1} times as long as 2 from γ = 1, and "
        "{depth_reverses_with_the_start/at 0.2} times as long from γ = 0.2 (003)",
        "↑ {depth_and_sensitivity/batch norm} powers of ten over 200 layers with batch normalisation; "
        "{depth_and_sensitivity/vanilla} without (002)",
    ),
    (
        "a larger start",
        "↓ {scale_and_accuracy/near zero} → {scale_and_accuracy/times 1000} % from near zero to 1000 times (000)",
        "↑ {scale_and_rank/near zero} → {scale_and_rank/times 1000} (000)",
        "↓ {scale_and_time/1e-12} → {scale_and_time/1} updates from γ = 10⁻¹² to 1 (003, one seed)",
        "not studied",
    ),
    (
        "more width",
        "– {width_and_accuracy/256} → {width_and_accuracy/1024} % from 256 to 1,024 units (004)",
        "↑ {width_and_rank/256} → {width_and_rank/1024} up to 1,024 units (004)",
        "not studied",
        "↓ with 512 channels {width_and_sensitivity} powers of ten less than with 64, over 200 vanilla layers (002)",
    ),
    (
        "another kind of start",
        "– {kind_and_accuracy/partial identity} % from the partial identity, {kind_and_accuracy/ZerO} % from ZerO, "
        "{kind_and_accuracy/random} % from random weights (004)",
        "{kind_and_rank/partial identity} from the partial identity, {kind_and_rank/ZerO} from ZerO; random weights "
        "have {kind_and_rank/random} from the start (004)",
        "Gaussian layers take {kind_and_time} times as long as orthogonal ones, at 10 layers (Saxe et al.)",
        "mean ln σ is {kind_and_sensitivity/Gaussian} for products of 100 Gaussian matrices, and 0 up to round-off for "
        "orthogonal ones (Saxe et al.)",
    ),
)
