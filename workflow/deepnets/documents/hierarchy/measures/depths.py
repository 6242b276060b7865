"""Measures of document 003 on depth."""

from typing import Any

import numpy as np

from deepnets.claims.evidence import Evidence, NotTestableError
from deepnets.claims.old_measures import as_measure, slope
from deepnets.tables.rows import NotRecordedError


@as_measure
def growth_of_loss_with_depth(evidence: Evidence, **wanted: Any) -> np.ndarray:
    """Measure the growth of the final loss per weight matrix, for each seed."""
    try:
        return slope("hierarchy", "train_loss", over="depth", **wanted)(evidence)
    except NotRecordedError:
        rate, scale = wanted["learning_rate"], wanted["scale"]
        raise NotTestableError(
            f"neither the document nor the config contains several depths at η = {rate:g} and γ = {scale:g}"
        ) from None
