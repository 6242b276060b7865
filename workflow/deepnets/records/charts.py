"""Vega-Lite specifications as JSON that carry their provenance in `usermeta`, which Vega-Lite leaves to its users."""

import hashlib
import json
from collections.abc import Mapping

from workflow.deepnets.errors import UserError
from workflow.deepnets.records.provenance import Provenance


def chart_text(specification: Mapping, provenance: Provenance) -> str:
    """Return a specification as JSON with sorted keys, with its stamp, which holds a digest of all else.

    Raises UserError for a number that JSON does not have: it would draw nothing, without a message.
    """
    stamp = {**provenance.as_metadata(), "text": _digest(specification)}
    usermeta = {**specification.get("usermeta", {}), "provenance": stamp}
    return _text({**specification, "usermeta": usermeta}) + "\n"


def stamp_of_chart(content: str) -> Mapping[str, str]:
    """Return the stamp that a specification carries; raises UserError where it has none or is another."""
    specification = json.loads(content)
    usermeta = specification.get("usermeta") if isinstance(specification, dict) else None
    if not (isinstance(usermeta, dict) and "provenance" in usermeta):
        raise UserError("its usermeta holds no provenance")
    stamp = usermeta.pop("provenance")
    if isinstance(stamp, dict) and stamp.get("text") != _digest(specification):
        raise UserError("the chart was changed after the workflow wrote it")
    return stamp


def _digest(specification: Mapping) -> str:
    """Return the SHA-256 of a specification, whatever else than a stamp its usermeta holds."""
    without_empty = {key: value for key, value in specification.items() if key != "usermeta" or value}
    return hashlib.sha256(_text(without_empty).encode()).hexdigest()


def _text(specification: Mapping) -> str:
    try:
        return json.dumps(specification, allow_nan=False, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    except ValueError as error:
        raise UserError(f"a chart's data holds a number that JSON lacks (an infinity, or none): {error}") from None
