"""The two packages: the mechanics, which name no experiment and no document, and the science beside them."""

from pathlib import Path

from reproduce.errors import UserError

# The folder that contains both packages: `workflow` in a checkout.
ROOT = Path(__file__).parents[2]


def rooms_with(module: str, folder: Path) -> set[str]:
    """Return the names of the packages in a folder that contain a module, such as "run" or "documents/__init__".

    Python can import no other names than identifiers, so backups and copies (`x.bak`, `x copy`) are no packages.
    """
    names = (path.relative_to(folder).parts[0] for path in folder.glob(f"[!_]*/{module}.py"))
    return set(filter(str.isidentifier, names))


def _find_science() -> str:
    """Return the package that has the rooms `experiments` and `documents`. Nothing else in the mechanics names it."""
    names = sorted(rooms_with("experiments/__init__", ROOT) & rooms_with("documents/__init__", ROOT))
    if len(names) != 1:
        raise UserError(
            f"{ROOT} contains {len(names)} packages with the folders experiments and documents ({', '.join(names)}); "
            "allowed: 1"
        )
    return names[0]


MECHANICS, SCIENCE = __name__.partition(".")[0], _find_science()
PACKAGES = (MECHANICS, SCIENCE)
# In the package, as an installed one contains them too.
PINS, TRANSITIVE_PINS = f"{SCIENCE}/envs/pins.txt", f"{SCIENCE}/envs/constraints.txt"
