"""The two packages: the mechanics, which name no experiment and no document, and the science beside them."""

from pathlib import Path

from reproduce.errors import UserError

# The folder that contains both packages: `workflow` in a checkout.
ROOT = Path(__file__).parents[2]


def _find_science() -> str:
    """Return the package that has the rooms `experiments` and `documents`. Nothing else in the mechanics names it."""
    folders = [path.parents[1] for path in ROOT.glob("*/experiments/__init__.py")]
    names = sorted(folder.name for folder in folders if (folder / "documents/__init__.py").is_file())
    if len(names) != 1:
        raise UserError(
            f"{ROOT} contains {len(names)} packages with the folders experiments and documents ({', '.join(names)}); "
            "allowed: 1"
        )
    return names[0]


MECHANICS, SCIENCE = __name__.partition(".")[0], _find_science()
PACKAGES = (MECHANICS, SCIENCE)
# Links to files of the checkout; an installed package contains copies.
PINS, TRANSITIVE_PINS = f"{SCIENCE}/envs/pins.txt", f"{SCIENCE}/envs/constraints.txt"
