"""Settings of `whitened`."""

from pydantic import Field, model_validator

from deepnets.data.mnist import TRAINING_IMAGES
from reproduce import api


class Settings(api.DatasetSettings):
    """The centred, whitened principal components of MNIST (document 001, Part 1)."""

    images: int = Field(
        ge=1,
        le=TRAINING_IMAGES,
        description="How many training images are whitened, from the first; the subset gives as many as it has.",
    )
    components: int = Field(ge=1, le=500, description="How many principal components are kept.")

    @model_validator(mode="after")
    def _enough_images(self) -> "Settings":
        # After centring, P images vary in at most P − 1 directions.
        if self.images <= self.components:
            raise ValueError(
                f"holds {self.components} components of {self.images} images; allowed: fewer components than images"
            )
        return self
