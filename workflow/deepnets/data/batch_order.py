"""The order in which torch's shuffling DataLoader yields a training set, replayed without data set or loader."""

from collections.abc import Iterator

import torch


def shuffled_epochs(seed: int, images: int) -> Iterator[torch.Tensor]:
    """Yield without end the permutation of each epoch after `manual_seed(seed)`, int64 (images,).

    Between two epochs a shuffled test loader is iterated once, as in document 004 ("Training Pipeline").
    """
    stream = torch.Generator().manual_seed(seed)
    while True:
        yield torch.randperm(images, generator=torch.Generator().manual_seed(_sampler_seed(stream)))
        _sampler_seed(stream)


def _sampler_seed(stream: torch.Generator) -> int:
    """Draw the two seeds of a shuffling loader's iterator, for its workers and its sampler; return the sampler's."""
    _workers, sampler = (int(torch.empty((), dtype=torch.int64).random_(generator=stream)) for _ in range(2))
    return sampler
