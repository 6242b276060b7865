"""The data sets: where MNIST comes from, and how it is whitened."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from workflow.deepnets.config.blocks import Block
from workflow.deepnets.config.fields import Distinct
from workflow.deepnets.data.mnist import FULL, TRAINING_IMAGES


class Mnist(Block):
    """Where MNIST comes from."""

    source: Literal["auto", "directory", "download", "embedded"] = Field(
        description="auto takes the first that serves of directory, download and embedded."
    )
    directory: Annotated[str, Field(pattern=r"^[^\x00]+$")] | None = Field(
        description="Folder with the four original files, gzipped or not; null stands for the environment variable "
        "MNIST_DIR."
    )
    mirrors: Distinct[Annotated[str, Field(pattern=r"^https?://[^\s/]\S*/$")]] = Field(
        min_length=1,
        description="Addresses below which the four gzipped files lie, in the order in which they are tried.",
    )


class Whitening(Block):
    """The centred, whitened principal components of MNIST (document 001, Part 1)."""

    images: int = Field(
        ge=1,
        le=TRAINING_IMAGES[FULL],
        description="How many training images are whitened, from the first; the subset gives as many as it has.",
    )
    components: int = Field(ge=1, le=500, description="How many principal components are kept.")

    @model_validator(mode="after")
    def _enough_images(self) -> "Whitening":
        # Centred, P images vary in P − 1 directions at most.
        if self.images <= self.components:
            raise ValueError(
                f"holds {self.components} components of {self.images} images; allowed: fewer components than images"
            )
        return self
