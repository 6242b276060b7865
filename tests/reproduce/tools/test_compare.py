import gzip
import io
import sys
import tarfile
from pathlib import Path

import pytest
from PIL import Image

from evidence import loss_claim, write_ledger
from reproduce.claims.criteria import Every, Near
from reproduce.errors import UserError
from reproduce.jobs.interact import chart_text
from reproduce.records.ledgers import COVERAGE, row_without_claim
from reproduce.tools import compare


def judge(folder, document, loss, *, main=("large",), **criteria):
    """Write the ledger of a document from one run with this loss. main: names of main claims; criteria: by claim."""
    claims = [
        loss_claim(name, criterion, main="a title" if name in main else "") for name, criterion in criteria.items()
    ]
    write_ledger(folder, document, [*claims, row_without_claim(COVERAGE)], loss)


def draw(folder, name, shade):
    path = folder / "results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".png":
        Image.new("L", (2, 3), shade).save(path)
    else:
        path.write_text(chart_text({"title": str(shade)}), encoding="utf-8")


def pack(members, path):
    """Write an archive. members: path → content."""
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder that contains two folders of results, `one` and `two`."""
    monkeypatch.chdir(tmp_path)
    share = {target: Near(target, of="share") for target in (10, 20, 30)}
    both = {"large": Every(least=3), "near": share[10]}
    judge(tmp_path / "one", "a", 10.0, **both, moved=share[10], **{"|gone|": share[10]})
    judge(tmp_path / "two", "a", 20.0, **both, moved=share[30], **{"|new|": share[10]})
    judge(tmp_path / "two", "b", 20.0, large=Every(least=3), near=share[20])
    for name in ("figures/a/same.png", "interactive/a/same.json", "figures/a/other.png", "interactive/a/other.json"):
        draw(tmp_path / "one", name, 7)
        draw(tmp_path / "two", name, 8 if "other" in name else 7)
    draw(tmp_path / "two", "figures/a/new.png", 7)
    return tmp_path


def output_of(capsys, monkeypatch, *places):
    monkeypatch.setattr(sys, "argv", ["compare", *map(str, places)])
    compare.main()
    return capsys.readouterr().out.splitlines()


def test_all_differences_are_printed(folders, capsys, monkeypatch):
    criterion = "the mean is within 0.03 of {} (share)"
    assert output_of(capsys, monkeypatch, "one", "two") == [
        "2 of 3 verdicts, 1 of 1 main numbers, 2 of 2 other numbers, 2 of 4 figures and charts differ.",
        "",
        "| verdicts | one | two |",
        "|---|---|---|",
        "| a/near | reproduced | not reproduced |",
        f"| a/moved | reproduced ({criterion.format(10)}) | not reproduced ({criterion.format(30)}) |",
        "",
        "| main numbers | one | two |",
        "|---|---|---|",
        "| a/large | 10 | 20 |",
        "",
        "Figures and charts that differ:",
        "",
        "- figures/a/other",
        "- interactive/a/other",
        "",
        "Only in one: a/|gone|.",
        "",
        "Only in two: a/|new|, b/large, b/near, figures/a/new.",
    ]


def test_an_archive_equals_the_folder_that_it_was_packed_from(folders, capsys, monkeypatch):
    paths = [path for path in (folders / "one").rglob("*") if path.is_file()]
    members = {path.relative_to(folders / "one").as_posix(): path.read_bytes() for path in paths}
    pack({**members, "results/data/mnist.npz": b"not read"}, "one.tar.gz")
    same = "0 of 4 verdicts, 0 of 1 main numbers, 0 of 3 other numbers, 0 of 4 figures and charts differ."
    # As some browsers leave it, and unpacked.
    Path("one.tar").write_bytes(gzip.decompress(Path("one.tar.gz").read_bytes()))
    with tarfile.open("one.tar") as archive:
        archive.extractall("unpacked", filter="data")
    for place in ("one.tar.gz", "one.tar", "unpacked", "one/results", "one"):
        assert output_of(capsys, monkeypatch, "one", place) == [same]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("empty", "^empty contains no ledgers"),
        ("absent", "^absent: .*No such file.*allowed: a folder with results, or a whole archive"),
        ("half.tar.gz", "^half.tar.gz: .*allowed: a folder with results, or a whole archive"),
        ("damaged.tar.gz", r"^damaged\.tar\.gz: claims/a\.parquet is damaged"),
    ],
)
def test_places_without_results_are_refused(tmp_path, monkeypatch, place, message):
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    pack({"results/claims/a.parquet": b"damaged"}, "damaged.tar.gz")
    content = Path("damaged.tar.gz").read_bytes()
    Path("half.tar.gz").write_bytes(content[: len(content) // 2])
    with pytest.raises(UserError, match=message):
        compare.read_results(Path(place))
