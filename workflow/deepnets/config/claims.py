"""The documents whose claims can be judged: each is a module, with the experiments that it speaks of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workflow.deepnets.code.modules import Package
from workflow.deepnets.config.points import canonical
from workflow.deepnets.errors import UserError

_DOCUMENT = re.compile("[a-z0-9-]+")


@dataclass(frozen=True)
class Ledger:
    """The claims of one document: the function that lists them, its folder, and the tables that judge them."""

    entry: str
    document: str
    tables: tuple[str, ...]

    @property
    def spec(self) -> str:
        """Canonical JSON of document and tables; all else is in the code and the tables themselves."""
        return canonical({"document": self.document, "tables": list(self.tables)})


def ledgers_of(package: Package, experiments: Sequence[str]) -> dict[str, Ledger]:
    """Return by document the ledgers that some of these experiments can judge.

    Raises UserError where a module of claims does not say what it needs to.
    """
    known = [each.rpartition(".")[2] for each in package.modules_in("experiments")]
    found: dict[str, Ledger] = {}
    entries: dict[str, str] = {}
    for module in package.modules_in("claims"):
        path = package.path_in_root(module)
        document, tables = package.constant(module, "DOCUMENT"), package.constant(module, "TABLES")
        if not (isinstance(document, str) and _DOCUMENT.fullmatch(document)):
            raise UserError(f"{path}: DOCUMENT names a folder; allowed: small letters, digits and hyphens")
        if not (isinstance(tables, tuple) and tables and set(tables) <= set(known)):
            raise UserError(f"{path}: TABLES names the experiments of the claims; allowed: some of {', '.join(known)}")
        if package.public_functions(module) != ["ledger"]:
            raise UserError(f"{path}: its one public function is `ledger`, which lists claims and errata")
        entry = f"{module}:ledger"
        if entries.setdefault(document, entry) != entry:
            raise UserError(f"{path}: {document} has its claims in {entries[document]} too; give one another name")
        if asked := tuple(table for table in tables if table in experiments):
            found[document] = Ledger(entry, document, asked)
    return dict(sorted(found.items()))
