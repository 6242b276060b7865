"""Describe an archive for other services, as a Process Run Crate 0.5, which is an RO-Crate 1.1.

The package `rocrate` would save few lines and cost users three more packages.
Sources: https://w3id.org/ro/crate/1.1, https://w3id.org/ro/wfrun/process/0.5
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from reproduce.records.paths import CLAIM_LIST, CRATE, PAGE
from reproduce.records.provenance import digest_of
from reproduce.records.stamps import Stamp

_SNAKEMAKE = "https://snakemake.github.io"
_RO_CRATE, _PROCESS_RUN = "https://w3id.org/ro/crate/1.1", "https://w3id.org/ro/wfrun/process/0.5"
# RO-Crate 1.1 has no property for a digest; this one is from the vocabulary of workflow runs.
_CONTEXT = [f"{_RO_CRATE}/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]
_FORMATS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
    ".npz": "application/zip",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Member:
    """A result in the archive.

    size: in bytes
    sha256: of its bytes
    digest: of its content, as stamps record it
    """

    path: str
    size: int
    sha256: str
    digest: str
    stamp: Stamp


class _Graph(dict[str, dict[str, object]]):
    """The entities of a crate by their @id, each described once."""

    def add(self, identity: str, kind: str | list[str], /, **properties: object) -> dict[str, str]:
        """Add an entity with its non-empty properties, and return the reference to it.

        RO-Crate writes a list of one member as this member.
        """
        given = {key: each for key, each in properties.items() if each}
        single = {key: each[0] for key, each in given.items() if isinstance(each, list) and len(each) == 1}
        self[identity] = {"@id": identity, "@type": kind, **given, **single}
        return {"@id": identity}

    def add_all(self, kind: str, names: Iterable[str]) -> list[dict[str, str]]:
        """Add entities that have only a name."""
        return [self.add(f"#{kind}/{quote(name)}", kind, name=name) for name in names]


def describe_archive(
    members: Iterable[Member], citation: Mapping, captions: Mapping[str, str], groups: Iterable[Sequence[str]]
) -> str:
    """Return ro-crate-metadata.json for an archive of these results: the same text for the same results.

    citation: title, license, version, date (ISO 8601), authors and works, as in the archive's spec
    captions: path without its suffix → caption; for a table, what its metrics mean; for claims.md, its headline
    groups: paths of files that a job reads together, under one digest
    """
    graph = _Graph()
    jobs = _group_by_job(sorted(members, key=lambda member: member.path))
    headline = captions.get(CLAIM_LIST.removesuffix(".md"), "It has no claims.")
    # Two documents may cite one work.
    works = list({work["url"]: work for work in citation["works"]}.values())
    license_url = f"https://spdx.org/licenses/{quote(citation['license'])}"
    graph.add(CRATE, "CreativeWork", about={"@id": "./"}, conformsTo={"@id": _RO_CRATE})
    graph.add(_PROCESS_RUN, "CreativeWork", name="Process Run Crate", version="0.5")
    graph.add(license_url, "CreativeWork", name=citation["license"], description="A licence, as SPDX lists it.")
    authors = graph.add_all("Organization", citation["authors"])
    workflow = graph.add(
        "#workflow",
        ["SoftwareSourceCode", "ComputationalWorkflow"],
        name=citation["title"],
        description="The workflow that made these results: workflow/Snakefile in its repository.",
        author=authors,
        license={"@id": license_url},
        version=citation["version"],
        programmingLanguage=graph.add(_SNAKEMAKE, "ComputerLanguage", name="Snakemake", url=_SNAKEMAKE),
    )
    graph.add(
        "./",
        "Dataset",
        name=citation["title"],
        description=(
            "Figures, tables, claims with their verdicts, runs and data of a workflow that reproduces "
            f"{'; '.join(work['title'] for work in works)}. {headline} "
            "The licence is that of the workflow and of what it made; data sets and reproduced works belong to their "
            "authors."
        ),
        datePublished=citation["date"],
        license={"@id": license_url},
        author=authors,
        publisher=authors[:1],
        citation=[_add_work(graph, work) for work in works],
        conformsTo={"@id": _PROCESS_RUN},
        mainEntity=_reference(PAGE),
        hasPart=[_add_file(graph, member, captions) for job in jobs for member in job],
        mentions=[workflow, *_add_jobs(graph, jobs, groups)],
    )
    crate = {"@context": _CONTEXT, "@graph": [graph[identity] for identity in sorted(graph)]}
    return json.dumps(crate, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def _group_by_job(members: Iterable[Member]) -> list[list[Member]]:
    """Group results by the jobs that made them: one job makes all formats of a figure."""
    jobs: dict[tuple[Stamp, str], list[Member]] = {}
    for member in members:
        jobs.setdefault((member.stamp, str(PurePosixPath(member.path).with_suffix(""))), []).append(member)
    return list(jobs.values())


def _add_work(graph: _Graph, work: Mapping) -> dict[str, str]:
    """Describe a work that is reproduced or built upon. Without a URL, its @id is its title."""
    return graph.add(
        work["url"] or f"#work/{quote(work['title'])}",
        "ScholarlyArticle" if work["kind"] in ("article", "conference-paper") else "CreativeWork",
        name=work["title"],
        author=graph.add_all("Person", work["authors"]),
        datePublished=work["year"],
        description=work["notes"],
        url=work["url"],
    )


def _add_file(graph: _Graph, member: Member, captions: Mapping[str, str]) -> dict[str, str]:
    path = PurePosixPath(member.path)
    reduced = f"Made from less: {member.stamp.reduced}." if member.stamp.reduced else ""
    return graph.add(
        _reference(member.path)["@id"],
        "File",
        name=member.path,
        description="\n\n".join(filter(None, (captions.get(str(path.with_suffix("")), ""), reduced))),
        encodingFormat=_FORMATS.get(path.suffix, "application/octet-stream"),
        contentSize=str(member.size),
        sha256=member.sha256,
    )


def _add_jobs(graph: _Graph, jobs: Iterable[Sequence[Member]], groups: Iterable[Sequence[str]]) -> list[dict[str, str]]:
    """Describe each job: its code, its spec, its inputs in the archive, and its results."""
    digests = {member.path: member.digest for job in jobs for member in job}
    files = {digest: [path] for path, digest in digests.items()}
    files |= {digest_of(group, digests.__getitem__): list(group) for group in groups}
    actions = []
    for job in jobs:
        stamp, first = job[0].stamp, job[0].path
        settings = graph.add(f"#settings/{_digest(stamp.spec)}", "PropertyValue", name="settings", value=stamp.spec)
        inputs = [path for _, digest in sorted(json.loads(stamp.inputs).items()) for path in files.get(digest, ())]
        action = graph.add(
            f"#job/{quote(first, safe='/=')}",
            "CreateAction",
            name=f"Make {first}",
            description=f"To make it again: snakemake --cores 1 --force {first}",
            instrument=_add_code(graph, stamp),
            object=[settings, *map(_reference, inputs)],
            result=[_reference(member.path) for member in job],
            actionStatus="http://schema.org/CompletedActionStatus",
        )
        actions.append(action)
    return actions


def _add_code(graph: _Graph, stamp: Stamp) -> dict[str, str]:
    """Describe an entry with its code, and the packages that were installed when it ran."""
    entry, _, fingerprint = stamp.code.partition("@")
    packages = [
        graph.add(
            f"pkg:{'generic' if name == 'python' else 'pypi'}/{quote(name)}@{quote(version)}",
            "SoftwareApplication",
            name=name,
            softwareVersion=version,
        )
        for name, version in sorted(json.loads(stamp.versions).items())
    ]
    return graph.add(
        f"#code/{quote(stamp.code)}/{_digest(stamp.versions)}",
        "SoftwareSourceCode",
        name=entry,
        description="The version is a hash of all code of the workflow that this function reaches.",
        version=fingerprint,
        softwareRequirements=packages,
    )


def _reference(path: str) -> dict[str, str]:
    return {"@id": quote(path, safe="/=")}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
