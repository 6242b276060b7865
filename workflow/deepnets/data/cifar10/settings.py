"""Settings of `cifar10`."""

from typing import Annotated, Literal

from pydantic import Field

from deepnets.data import cifar10
from deepnets.data.named_folder import NamedFolder


class Settings(NamedFolder):
    """The source of CIFAR-10."""

    VARIABLE, STAND_IN, LAST = "CIFAR10_DIR", cifar10.STAND_IN, "mnist"

    source: Literal["auto", "directory", "download", "mnist"] = Field(
        description="auto takes the directory if one is named, otherwise the first that serves of download and mnist "
        "(images of MNIST stand in)."
    )
    address: Annotated[str, Field(pattern=r"^https?://[^\s/]\S*$")] = Field(
        description="Address of cifar-10-python.tar.gz, 170 MB."
    )
