"""The devices of this machine, asked before its first job."""

from collections.abc import Iterable

from workflow.deepnets.errors import UserError


def check_gpu(experiments: Iterable[str]) -> None:
    """Raise UserError where experiments ask for a GPU and torch finds none on this machine."""
    asking = sorted(set(experiments))
    if not asking:
        return
    # Here, since it takes a second.
    import torch

    if not torch.cuda.is_available():
        raise UserError(
            f"config: experiments.{asking[0]}.device: cuda, but torch finds no GPU on this machine; allowed here: cpu"
        )
