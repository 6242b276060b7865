"""What Python starts for a job."""

from functools import cache

from reproduce.code.modules import LAUNCHER
from reproduce.code.science import MECHANICS, ROOT
from reproduce.records.paths import shown


@cache
def launcher() -> tuple[str, ...]:
    """Return the words after `python`: in a checkout, a file beside the package, which starts the planned sources."""
    file = ROOT / f"{LAUNCHER}.py"
    return (shown(file),) if file.is_file() else ("-m", f"{MECHANICS}.jobs")
