"""What an archive says of itself to other services: a Process Run Crate 0.5, which is an RO-Crate 1.1.

Each file, and each job that made some of them, is an entity of the JSON-LD; so are the code that a job ran, its
settings, the packages behind it, and the works that the whole reproduces. There is no time in it but the date of the
release: the same results give the same text. Sources: https://w3id.org/ro/crate/1.1, https://w3id.org/ro/wfrun/process/0.5
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import quote

from workflow.deepnets.data.mnist import SUBSET
from workflow.deepnets.records.paths import CRATE
from workflow.deepnets.records.provenance import digest_of
from workflow.deepnets.records.stamps import Stamp

_RO_CRATE, _PROCESS_RUN = "https://w3id.org/ro/crate/1.1", "https://w3id.org/ro/wfrun/process/0.5"
# RO-Crate 1.1 has no word of its own for a digest; this one is of the vocabulary for runs.
_CONTEXT = [f"{_RO_CRATE}/context", {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}]
_DONE = "http://schema.org/CompletedActionStatus"
_WORKFLOW = "#workflow"
_FORMATS = {
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
    ".npz": "application/zip",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
_KINDS = {
    "data": "Data set",
    "runs": "Run",
    "tables": "Table of all runs of",
    "claims": "Claims and verdicts of document",
    "figures": "Figure",
    "interactive": "Chart with sliders",
}
_ARTICLES = ("article", "conference-paper")

Entity = dict[str, object]


@dataclass(frozen=True)
class Member:
    """A result in the archive: its path there, its size in bytes, the SHA-256 of its bytes, and its stamp."""

    path: str
    size: int
    sha256: str
    stamp: Stamp


@dataclass(frozen=True)
class Surroundings:
    """What no result says of itself.

    citation: as `read_citation` returns it; captions: path without its suffix → caption; pins: package → version, of
    what the workflow asks for; inputs: path → name → paths, of results that read several files under one name.
    """

    citation: Mapping
    captions: Mapping[str, str] = field(default_factory=dict)
    pins: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)


def described(members: Iterable[Member], surroundings: Surroundings) -> str:
    """Return the text of ro-crate-metadata.json for an archive of these results.

    An input that is in the archive is named as a file, any other by its digest alone.
    """
    return _Crate(sorted(members, key=lambda member: member.path), surroundings).text()


class _Crate:
    """The entities of one archive, by their @id: what several name is described once."""

    def __init__(self, members: Sequence[Member], surroundings: Surroundings) -> None:
        self._members, self._around = members, surroundings
        self._digests = {member.path: member.sha256 for member in members}
        self._paths = {member.sha256: member.path for member in members}
        self._entities: dict[str, Entity] = {}

    def text(self) -> str:
        """Return all entities as JSON, sorted by their names."""
        self._describe()
        graph = [self._entities[name] for name in sorted(self._entities)]
        crate = {"@context": _CONTEXT, "@graph": graph}
        return json.dumps(crate, sort_keys=True, indent=1, ensure_ascii=False) + "\n"

    def _describe(self) -> None:
        citation = self._around.citation
        files = [self._file(member) for member in self._members]
        actions = [self._action(together) for together in _made_together(self._members)]
        self._add(CRATE, "CreativeWork", about={"@id": "./"}, conformsTo={"@id": _RO_CRATE})
        self._add(_PROCESS_RUN, "CreativeWork", name="Process Run Crate", version="0.5")
        packages = [self._package(name, version) for name, version in sorted(self._around.pins.items())]
        self._add(
            _WORKFLOW,
            "SoftwareSourceCode",
            name=citation["title"],
            description="The Snakemake workflow that made the results, with the packages that it pins.",
            version=citation["date"],
            license=self._license(),
            programmingLanguage="Python",
            softwareRequirements=_one_or_all(packages),
        )
        self._add(
            "./",
            "Dataset",
            name=citation["title"],
            description=(
                "Figures, tables, claims with their verdicts, runs and data of a workflow that reproduces "
                f"{'; '.join(work['title'] for work in citation['works'])}. The licence is that of the workflow and "
                "of what it made; MNIST and the works reproduced are their authors'."
            ),
            datePublished=citation["date"],
            license=self._license(),
            author=self._named("Organization", citation["authors"]),
            publisher=self._named("Organization", citation["authors"][:1]),
            citation=_one_or_all([self._work(work) for work in citation["works"]]),
            conformsTo={"@id": _PROCESS_RUN},
            hasPart=_one_or_all(files),
            mentions=_one_or_all(actions),
        )

    def _add(self, identity: str, kind: str, /, **properties: object) -> dict[str, str]:
        """Add an entity and return the reference to it; what says nothing is left out."""
        said = {key: value for key, value in properties.items() if value not in ("", [], None)}
        self._entities[identity] = {"@id": identity, "@type": kind, **said}
        return {"@id": identity}

    def _named(self, kind: str, names: Iterable[str]) -> object:
        return _one_or_all([self._add(_id("author", name), kind, name=name) for name in names])

    def _license(self) -> dict[str, str]:
        name = self._around.citation["license"]
        url = f"https://spdx.org/licenses/{quote(name)}"
        return self._add(url, "CreativeWork", name=name, description=f"The licence {name} as SPDX lists it.", url=url)

    def _work(self, work: Mapping) -> dict[str, str]:
        """Describe a work that is reproduced or built upon; without an address it is known by its title."""
        return self._add(
            work["url"] or _id("work", work["title"]),
            "ScholarlyArticle" if work["kind"] in _ARTICLES else "CreativeWork",
            name=work["title"],
            author=self._named("Person", work["authors"]),
            datePublished=work["year"],
            description=work["notes"],
            url=work["url"],
        )

    def _file(self, member: Member) -> dict[str, str]:
        path = PurePosixPath(member.path)
        caption = self._around.captions.get(str(path.with_suffix("")), "")
        subset = "Made from the embedded subset of MNIST." if member.stamp.mnist == SUBSET else ""
        return self._add(
            quote(member.path, safe="/="),
            "File",
            name=_name_of(path),
            description="\n\n".join(filter(None, (caption, subset))),
            encodingFormat=_FORMATS.get(path.suffix, "application/octet-stream"),
            contentSize=str(member.size),
            sha256=member.sha256,
        )

    def _action(self, together: Sequence[Member]) -> dict[str, str]:
        """Describe the job behind results that were made together: its code, what it read, what it made."""
        first, stamp = together[0], together[0].stamp
        entry = stamp.code.partition("@")[0]
        settings = self._add(
            f"#settings/{_short(stamp.spec)}",
            "PropertyValue",
            name="settings",
            description="What the result depends on besides code and inputs, as JSON.",
            value=stamp.spec,
        )
        read = [
            each
            for name, digest in sorted(json.loads(stamp.inputs).items())
            for each in self._read(first, name, digest)
        ]
        return self._add(
            _id("job", first.path),
            "CreateAction",
            name=f"Make {first.path}",
            description=f"{entry} with these settings; to make it again: snakemake --cores 1 --force {first.path}",
            instrument=self._code(stamp),
            object=_one_or_all([settings, *read]),
            result=_one_or_all([{"@id": quote(member.path, safe="/=")} for member in together]),
            actionStatus=_DONE,
        )

    def _read(self, member: Member, name: str, digest: str) -> list[dict[str, str]]:
        """Return what a job read under a name: files in the archive if they are what was read, else the digest."""
        paths = self._around.inputs.get(member.path, {}).get(name, ())
        if paths and all(path in self._digests for path in paths) and digest_of(paths, self._digests.get) == digest:
            return [{"@id": quote(path, safe="/=")} for path in paths]
        if digest in self._paths:
            return [{"@id": quote(self._paths[digest], safe="/=")}]
        words = "SHA-256 of an input that is not in this archive: of a style's settings, of several files' digests."
        return [
            self._add(f"#input/{quote(name)}/{digest}", "PropertyValue", name=name, description=words, value=digest)
        ]

    def _code(self, stamp: Stamp) -> dict[str, str]:
        """Describe a function with all code that it reaches, and the packages that were installed when it ran."""
        entry, _, fingerprint = stamp.code.partition("@")
        packages = [self._package(name, version) for name, version in sorted(json.loads(stamp.versions).items())]
        return self._add(
            f"{_id('code', stamp.code)}/{_short(stamp.versions)}",
            "SoftwareSourceCode",
            name=entry,
            description="The version is a fingerprint: a hash of all code of the workflow that the function reaches.",
            version=fingerprint,
            isPartOf={"@id": _WORKFLOW},
            softwareRequirements=_one_or_all(packages),
        )

    def _package(self, name: str, version: str) -> dict[str, str]:
        # A package URL; the build stays in it, as builds of one release round differently.
        kind = "generic" if name == "python" else "pypi"
        identity = f"pkg:{kind}/{quote(name)}@{quote(version)}"
        return self._add(identity, "SoftwareApplication", name=name, softwareVersion=version)


def _made_together(members: Iterable[Member]) -> list[list[Member]]:
    """Return results by the jobs that made them: the formats of a figure are one job's."""
    jobs: dict[tuple[Stamp, str], list[Member]] = {}
    for member in members:
        jobs.setdefault((member.stamp, str(PurePosixPath(member.path).with_suffix(""))), []).append(member)
    return list(jobs.values())


def _name_of(path: PurePosixPath) -> str:
    kind = path.parts[1] if len(path.parts) > 2 else ""
    if kind == "runs":
        return f"{_KINDS[kind]} of {', '.join(path.parts[2:-1])}"
    if kind in ("figures", "interactive"):
        return f"{_KINDS[kind]} {path.stem} of {path.parts[2]} ({path.suffix[1:].upper()})"
    return f"{_KINDS[kind]} {path.stem}" if kind in _KINDS else path.name


def _id(kind: str, name: str) -> str:
    """Return the @id of something that has no address: any text may be its name."""
    return f"#{kind}/{quote(name, safe='/=')}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _one_or_all(references: list[dict[str, str]]) -> object:
    """Return the only reference itself, as RO-Crate writes it, or all of them."""
    return references[0] if len(references) == 1 else references
