"""The library and its tests keep within a budget of lines. `python tests/test_size.py` prints it, as CI does."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUDGET: dict[str, int] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["lines"]


def lines_below(folder: str) -> int:
    """Return the number of lines of all Python files below a folder of the repository."""
    return sum(path.read_bytes().count(b"\n") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", BUDGET)
def test_lines_keep_within_the_budget(folder):
    assert 0 < lines_below(folder) <= BUDGET[folder], "CHANGELOG.md names each raise of [tool.lines], with its reason"


if __name__ == "__main__":
    for folder, budget in BUDGET.items():
        print(f"{folder}: {lines_below(folder):,} lines of Python, {budget:,} allowed")
