"""Write Vega-Lite specifications as JSON, with the stamp in `usermeta`, which Vega-Lite ignores."""

import hashlib
import json
from collections.abc import Mapping

from reproduce.errors import UserError
from reproduce.records.provenance import Provenance


def chart_text(specification: Mapping, provenance: Provenance) -> str:
    """Return a specification as JSON with its stamp, which contains a digest of the rest.

    Raises UserError for NaN and infinities, which JSON lacks: the browser would draw nothing, without a message.
    """
    stamp = {**provenance.as_stamp(), "text": _digest(specification)}
    usermeta = {**specification.get("usermeta", {}), "provenance": stamp}
    return _to_json({**specification, "usermeta": usermeta}) + "\n"


def stamp_of_chart(content: str) -> Mapping[str, str]:
    """Return the stamp of a chart; raises UserError if it has none or if a byte outside its values was changed."""
    specification = json.loads(content)
    usermeta = specification.get("usermeta") if isinstance(specification, dict) else None
    if not (isinstance(usermeta, dict) and "provenance" in usermeta):
        raise UserError("its usermeta contains no provenance")
    written = _to_json(specification) + "\n"
    stamp = usermeta.pop("provenance")
    if isinstance(stamp, dict) and (stamp.get("text") != _digest(specification) or content != written):
        raise UserError("the chart was changed after the workflow wrote it")
    return stamp


def _digest(specification: Mapping) -> str:
    """Return the SHA-256 of a specification without its stamp. An empty `usermeta` does not count."""
    without_empty = {key: value for key, value in specification.items() if key != "usermeta" or value}
    return hashlib.sha256(_to_json(without_empty).encode()).hexdigest()


def _to_json(specification: Mapping) -> str:
    try:
        return json.dumps(specification, allow_nan=False, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    except ValueError as error:
        raise UserError(f"a chart's data contain a number that JSON lacks (NaN or an infinity): {error}") from None
