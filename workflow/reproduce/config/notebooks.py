"""Find what a notebook is made from: its text names the results, experiments, figures and claims that it uses."""

import re
from pathlib import Path

import yaml

from reproduce.code.science import SCIENCE
from reproduce.config.plan import Plan
from reproduce.records.paths import LEDGER, TABLE

# A text without blanks between quotes: a name, or the path of a result from the folder of the notebook.
_QUOTED = re.compile(r"""(?<=["'])(?:\.\./)?([\w/.-]+)(?=["'])""")
_IMPORTED = re.compile(rf"^from ({SCIENCE}[\w.]*) import (.+)$", re.MULTILINE)


def sources_of(text: str, plan: Plan) -> tuple[list[str], list]:
    """Return the files from which a notebook is made, and the code and settings that it uses from the science.

    Fingerprints cover the code of the figures, claims and experiments that the notebook names, and what it imports.
    """
    words = set(_QUOTED.findall(text))
    documents = {word.partition("/")[0] for word in words - {"/".join(key) for key in plan.figures}}
    ledgers = [LEDGER.format(document=document) for document in plan.ledgers if document in documents]
    figures = [figure.paths[0] for key, figure in plan.figures.items() if "/".join(key) in words]
    trained = [experiment for experiment in plan.experiments if experiment in words]
    tables = [TABLE.format(experiment=experiment) for experiment in trained]
    called = [plan.results[path] for path in (*ledgers, *figures)]
    read = [path for result in called for paths in result.inputs.values() for path in paths]
    imported = [f"{module}:{name.strip()}" for module, names in _IMPORTED.findall(text) for name in names.split(",")]
    code = [result.code for result in called] + [plan.run_code(experiment) for experiment in trained]
    code += [plan.fingerprints.of("train", entry)[0] for entry in imported]
    named = [path for path in plan.results if path in words]
    return [*dict.fromkeys([*ledgers, *tables, *named, *read])], [code, _settings(trained)]


def _settings(experiments: list[str]) -> dict:
    """Return the blocks of config.yaml, with which a notebook trains nets whatever other config a start has."""
    file = Path("config.yaml")
    config = yaml.safe_load(file.read_text(encoding="utf-8")) if experiments and file.exists() else {}
    return {name: config.get("experiments", {}).get(name) for name in experiments}
