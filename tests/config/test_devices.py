"""A GPU that is asked for and not there is told before the first job."""

import pytest
import torch

from workflow.deepnets.config.devices import check_gpu
from workflow.deepnets.errors import UserError


def test_the_experiment_that_asks_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    check_gpu([])
    with pytest.raises(
        UserError, match=r"config: experiments\.propagation\.device: cuda, but torch finds no GPU on th"
    ):
        check_gpu(iter(["propagation", "propagation"]))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    check_gpu(["propagation"])
