"""The order in which torch's shuffling DataLoader hands out a training set, replayed without data set or loader."""

from collections.abc import Iterator

import torch


def shuffled_epochs(seed: int, images: int) -> Iterator[torch.Tensor]:
    """Yield the permutation of each epoch after `manual_seed(seed)`, int64 (images,), without end.

    Between two epochs a shuffled test loader is run through once, as document 004 does ("Training Pipeline").
    """
    stream = torch.Generator().manual_seed(seed)
    while True:
        yield torch.randperm(images, generator=torch.Generator().manual_seed(_sampler_seed(stream)))
        _sampler_seed(stream)


def _sampler_seed(stream: torch.Generator) -> int:
    """Draw what the iterator of a shuffling loader draws: the base seed of its workers, then its sampler's seed."""
    _workers, sampler = (int(torch.empty((), dtype=torch.int64).random_(generator=stream)) for _ in range(2))
    return sampler
