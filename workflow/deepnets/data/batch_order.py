"""The order in which torch's shuffling DataLoader yields a training set, replayed without a data set or a loader."""

from collections.abc import Iterator

import torch


def shuffled_epochs(seed: int, images: int) -> Iterator[torch.Tensor]:
    """Yield each epoch's permutation of the images after `manual_seed(seed)`: int64, shape (images,), without end.

    Between two epochs a shuffled test loader is iterated once, as in document 004 ("Training Pipeline").
    """
    stream = torch.Generator().manual_seed(seed)
    while True:
        yield torch.randperm(images, generator=torch.Generator().manual_seed(_sampler_seed(stream)))
        _sampler_seed(stream)


def _sampler_seed(stream: torch.Generator) -> int:
    """Draw the two seeds of a shuffling loader, one for workers, one for the sampler; return the sampler's seed."""
    _workers, sampler = (int(torch.empty((), dtype=torch.int64).random_(generator=stream)) for _ in range(2))
    return sampler
