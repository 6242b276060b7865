"""The hash of all code that a job reaches, so that an edit reruns exactly the jobs whose entry reaches it.

Snakemake does not look inside imported modules: every job carries `ENTRY@FINGERPRINT` as a param. Comments, docstrings
and layout do not count. Other packages are not followed; a package that is reached counts with its pinned version.
"""

import hashlib

from workflow.deepnets.code.closure import Closure
from workflow.deepnets.code.modules import PACKAGE


def texts(closure: Closure, *entries: str) -> dict[str, str]:
    """Return what is hashed: each key of the closure, in order, with its canonical text ("" for other packages).

    entries: "module:name". Raises UserError where reached code cannot be followed.
    """
    found = {key: closure.text(key) for key in sorted(closure.origins(*entries))}
    # Of a module without effects at import, only what is reached in it counts.
    counted = {key: text for key, text in found.items() if text or ":" not in key}
    return {"import order": " ".join(closure.import_order(*entries)), **counted}


def fingerprint(closure: Closure, *entries: str) -> str:
    """Return 16 hexadecimal digits that change when code reached from the entries ("module:name") changes."""
    digest = hashlib.sha256()
    for key, text in texts(closure, *entries).items():
        digest.update(f"{key}\n{text}\n".encode())
    return digest.hexdigest()[:16]


def packages_of(closure: Closure, *entries: str) -> tuple[str, ...]:
    """Return the other packages that the entries reach, and those that these need, by name."""
    return tuple(key.partition("==")[0] for key in sorted(closure.origins(*entries)) if "==" in key)


def modules_of(closure: Closure, *entries: str) -> list[str]:
    """Return the names of this package's modules that the entries reach."""
    return sorted({key.partition(":")[0] for key in closure.origins(*entries) if ":" in key})


def entries_of(program: str, entry: str) -> tuple[str, ...]:
    """Return what a job of a program runs: its command line, the launcher of all programs, the program, the entry."""
    shared = f"{PACKAGE}.records.command:command_line", f"{PACKAGE}.jobs.__main__:main"
    return *shared, f"{PACKAGE}.jobs.{program}:main", entry


def code_of(program: str, entry: str, closure: Closure) -> str:
    """Return `ENTRY@FINGERPRINT`: the code param of a job of `program`, which executes it."""
    return f"{entry}@{fingerprint(closure, *entries_of(program, entry))}"
