"""Guard the inputs of a job: its record contains the digests of what it read."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from reproduce.errors import UserError
from reproduce.records.provenance import Paths, digest_of, sha256_of


@contextmanager
def guard_inputs(inputs: Mapping[str, Paths]) -> Generator[dict[str, str]]:
    """Yield name → digest of the inputs of a job, for a block that reads them.

    Raises UserError if an input is missing, or has changed when the block ends: the record would name another input.
    """
    before = _digests(inputs)
    yield before
    after = _digests(inputs)
    if changed := [str(paths[0]) for name, paths in inputs.items() if after[name] != before[name]]:
        raise UserError(f"{', '.join(changed)} changed while this job read it; start snakemake again")


def _digests(inputs: Mapping[str, Paths]) -> dict[str, str]:
    try:
        return {name: digest_of(paths, sha256_of) for name, paths in inputs.items()}
    except FileNotFoundError as error:
        raise UserError(f"{error.filename} is missing; make it with: snakemake --cores 1 {error.filename}") from None
