"""Find what the page of a notebook is made from: it names the results, experiments, figures and claims that it uses."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from reproduce.records.digests import digest_of, sha256_of
from reproduce.records.paths import LEDGER, RESULTS, TABLE

if TYPE_CHECKING:
    from reproduce.config.plan import Plan

# A text without blanks between quotes: a name, or the path of a result from the folder of the notebook.
_QUOTED = re.compile(r"""(?<=["'])(?:\.\./)?([\w/.-]+)(?=["'])""")


def sources_of(text: str, plan: "Plan") -> tuple[list[str], dict]:
    """Return the results that a notebook reads, and the spec of its page: the code and settings that it uses.

    The page is executed by another process, whose footprint is not known: all sources count.
    """
    words = set(_QUOTED.findall(text))
    documents = {word.partition("/")[0] for word in words - {"/".join(key) for key in plan.figures}}
    ledgers = [LEDGER.format(document=document) for document in plan.ledgers if document in documents]
    figures = [figure.paths[0] for key, figure in plan.figures.items() if "/".join(key) in words]
    trained = [experiment for experiment in plan.experiments if experiment in words]
    tables = [TABLE.format(experiment=experiment) for experiment in trained]
    called = [plan.results[path] for path in (*ledgers, *figures)]
    read = [path for result in called for paths in result.inputs.values() for path in paths]
    named = [path for path in plan.results if path in words]
    # A notebook trains nets with the settings of config.yaml, whatever other config a start has.
    config = Path("config.yaml")
    blocks = _blocks(config.read_text(encoding="utf-8")) if trained and config.exists() else {}
    spec = {
        "sources": digest_of(plan.package.files, sha256_of),
        "settings": {name: blocks.get(name) for name in trained},
    }
    return [path for path in dict.fromkeys([*ledgers, *tables, *named, *read]) if path.startswith(RESULTS)], spec


# Cached because it takes a tenth of a second.
@cache
def _blocks(config: str) -> Mapping:
    return (yaml.safe_load(config) or {}).get("experiments") or {}
