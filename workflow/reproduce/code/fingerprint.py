"""Hash the code that a job reaches, so that an edit reruns exactly the jobs that reach the edited code.

Snakemake does not look inside imported modules, so each job has `ENTRY@FINGERPRINT` as a param. Comments, docstrings
and layout do not count. Other packages are not followed; the pinned versions of the reached ones count.
"""

import hashlib

from reproduce.code.closure import Closure
from reproduce.code.science import MECHANICS

# The first digits of a fingerprint are those of the code; the others are those of the pinned packages.
CODE_DIGITS = 16


def hashed_texts(closure: Closure, *entries: str) -> dict[str, str]:
    """Return the texts that the fingerprint hashes: key of the closure → its text, "" for other packages.

    entries: "module:name"
    Raises UserError if static analysis cannot follow reached code.
    """
    found = {key: closure.text(key) for key in sorted(closure.origins(*entries))}
    # If a module has no effect at import, only its reached names count.
    counted = {key: text for key, text in found.items() if text or ":" not in key}
    return {"import order": " ".join(closure.import_order(*entries)), **counted}


def fingerprint(closure: Closure, *entries: str) -> str:
    """Return 16 hexadecimal digits of the code that the entries ("module:name") reach, and 8 of the reached pins."""
    code, pins = hashlib.sha256(), hashlib.sha256()
    for key, text in hashed_texts(closure, *entries).items():
        (code if ":" in key or "==" not in key else pins).update(f"{key}\n{text}\n".encode())
    return code.hexdigest()[:CODE_DIGITS] + pins.hexdigest()[:8]


def without_pins(code: str) -> str:
    """Return `ENTRY@FINGERPRINT`, or its `repr`, up to the digits of the pins."""
    entry, _, digits = code.partition("@")
    return f"{entry}@{digits[:CODE_DIGITS]}"


def packages_of(closure: Closure, *entries: str) -> tuple[str, ...]:
    """Return the names of the other packages that the entries reach, with their dependencies."""
    return tuple(key.partition("==")[0] for key in sorted(closure.origins(*entries)) if "==" in key)


def modules_of(closure: Closure, *entries: str) -> list[str]:
    """Return the names of the modules of this package that the entries reach."""
    return sorted({key.partition(":")[0] for key in closure.origins(*entries) if ":" in key})


def entries_of(program: str, entry: str) -> tuple[str, ...]:
    """Return the functions that a job runs: those of its command line, the launcher, its program, and its entry."""
    shared = f"{MECHANICS}.records.command:command_line", f"{MECHANICS}.jobs.__main__:main"
    return *shared, f"{MECHANICS}.jobs.{program}:main", entry


def code_of(program: str, entry: str, closure: Closure) -> str:
    """Return `ENTRY@FINGERPRINT`, the param `code` of a job of `program`."""
    return f"{entry}@{fingerprint(closure, *entries_of(program, entry))}"
