import numpy as np

from deepnets.data.mnist import CLASSES, SIDE
from reproduce import api


def run(spec: dict, mnist: api.Dataset) -> api.Measurements:
    """Record two 10 × 10 blocks of the inputs' correlations Σ11 = XᵀX/P: of pixels, and of the task's modes.

    X contains the first `images` training images. Its entries are pixels from 0 to 1; they are not centred. Source:
    Saxe, McClelland & Ganguli 2013, Fig. 5 left and centre, and appendix F.

    Metrics at step 0:

    - pixel_correlation[10 · row + column]: Σ11 of ten neighbouring pixels in the middle of the image.
    - mode_correlation[10 · row + column]: V11ᵀ Σ11 V11; the columns of V11 are the ten right singular vectors of Σ31 =
      YᵀX/P, by falling singular value.
    """
    images = mnist["train_images"][: spec["images"]].reshape(-1, SIDE**2).astype(np.float32) / 255
    labels = np.eye(CLASSES, dtype=np.float32)[mnist["train_labels"][: spec["images"]]]
    modes = np.linalg.svd(labels.T @ images, full_matrices=False)[2]
    first = SIDE // 2 * SIDE + (SIDE - CLASSES) // 2
    measurements = api.Measurements()
    for metric, signals in (
        ("pixel_correlation", images[:, first : first + CLASSES]),
        ("mode_correlation", images @ modes.T),
    ):
        measurements.add(0, metric, (signals.T @ signals / len(images)).ravel())
    return measurements
