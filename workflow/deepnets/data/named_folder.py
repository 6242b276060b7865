"""Data sets that a folder may serve, which the config or a variable of the environment names."""

import os
import textwrap
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from reproduce import api


class NamedFolder(api.DatasetSettings):
    """The source of such a data set: `auto` takes the folder, if one is named."""

    # The variable; what stands in if no source serves, in words; the name of this source.
    VARIABLE: ClassVar[str]
    STAND_IN: ClassVar[str]
    LAST: ClassVar[str]

    source: Any
    directory: Annotated[str, Field(pattern=r"^[^\x00]+$")] | None = Field(
        description="Folder with the files; null stands for the one that the variable of the environment names."
    )

    @property
    def _folder(self) -> str:
        """The folder that the config or the variable names, "" if neither names one."""
        return self.directory or os.environ.get(self.VARIABLE, "")

    def contents(self) -> tuple[str, ...]:
        """Return what the source may give: the whole data set, or what stands in.

        A folder that is named never gives the stand-in, so naming one makes the stand-in stale.
        """
        if self.source == "auto" and not self._folder:
            return ("", self.STAND_IN)
        return (self.STAND_IN,) if self.source == self.LAST else ("",)

    def check(self) -> None:
        """Raise UserError if the folder that is named does not exist."""
        folder = self._folder
        if self.source in ("auto", "directory") and folder and not os.path.isdir(os.path.expanduser(folder)):
            name = type(self).__module__.split(".")[-2]
            raise api.UserError(
                f"{f'data.{name}.directory' if self.directory else self.VARIABLE}: {folder} is not a folder; allowed: "
                f"a folder with the files of {name}, or no value, with which they are downloaded"
            )


def read_first(name: str, variable: str, directory: str | None, **wanted: Any) -> Any:
    """Return what `decode` makes of the content and the path of the first file in a folder that it accepts.

    wanted: paths below the folder, decode, and in words what is missing and what is expected
    Raises UserError that says what is there.
    """
    if not directory:
        raise api.UserError(f"neither data.{name}.directory of the config nor the variable {variable} has a value")
    folder, reasons = Path(os.path.expanduser(directory)), []
    for path in (folder / each for each in wanted["paths"]):
        try:
            return wanted["decode"](path.read_bytes(), str(path))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            reasons.append(f"{path} cannot be read: {error.strerror}")
        except api.UserError as error:
            reasons.append(str(error))
    if not reasons and folder.is_dir():
        there = textwrap.shorten(", ".join(sorted(os.listdir(folder))), 300, placeholder=" …")
        reasons = [f"{folder} contains {there or 'nothing'}"]
    raise api.UserError(
        f"no {wanted['missing']} in the folder that data.{name}.directory of the config or {variable} names:\n    "
        + "\n    ".join(reasons or [f"{folder} is not a folder"])
        + f"\n  expected: {wanted['expected']}\n  correct the name or the files; if neither names a folder, the "
        f"workflow downloads {name}"
    )
