"""The digest of an input covers the content that its readers use, and nothing about its origin."""

import json
from dataclasses import replace

import jinja2
import numpy as np
import pyarrow as pa
import pytest

from deepnets.records import datasets
from deepnets.records.content import content_digest
from deepnets.records.provenance import Provenance, sha256_of
from deepnets.records.tables import write_table

SPEC = {"experiment": "a", "grids": [{"axes": {"depth": [1]}}], "code": "m.run:run@1"}
TABLE = Provenance(json.dumps(SPEC), "m.aggregate:main@2", {"runs": "ab"}, "full", ("numpy",))
ROWS = pa.table({"depth": [0, 0], "value": [1.0, 2.0]})
ARRAYS = {"images": np.arange(6.0).reshape(2, 3)}


@pytest.mark.parametrize(
    ("rows", "provenance", "same"),
    [
        (ROWS, replace(TABLE, inputs={"runs": "cd"}), True),
        (ROWS, replace(TABLE, spec=json.dumps({**SPEC, "code": "m.run:run@9"})), True),
        (ROWS, replace(TABLE, spec=json.dumps({**SPEC, "grids": []})), False),
        # The code that joined the runs, and the packages that it used.
        (ROWS, replace(TABLE, code="m.aggregate:main@3"), False),
        (ROWS, replace(TABLE, packages=()), False),
        (ROWS, replace(TABLE, mnist="subset"), False),
        (ROWS.take([1, 0]), TABLE, False),
        # As integers and as floats, zeros have the same bytes.
        (ROWS.set_column(0, "depth", pa.array([0.0, 0.0])), TABLE, False),
    ],
)
def test_the_digest_of_a_table_covers_rows_and_settings(tmp_path, rows, provenance, same):
    write_table(tmp_path / "a.parquet", ROWS, TABLE)
    write_table(tmp_path / "b.parquet", rows, provenance)
    assert (content_digest(tmp_path / "a.parquet") == content_digest(tmp_path / "b.parquet")) is same


@pytest.mark.parametrize(
    ("arrays", "provenance", "same"),
    [
        (ARRAYS, replace(TABLE, spec="{}", code="m.fetch:main@4", packages=()), True),
        (ARRAYS, replace(TABLE, mnist="subset"), False),
        ({"images": ARRAYS["images"][::-1]}, TABLE, False),
        ({"others": ARRAYS["images"]}, TABLE, False),
        ({"images": ARRAYS["images"].reshape(3, 2)}, TABLE, False),
        # Sums depend on the order in memory.
        ({"images": np.asfortranarray(ARRAYS["images"])}, TABLE, False),
    ],
)
def test_the_digest_of_a_data_set_covers_its_arrays(tmp_path, arrays, provenance, same):
    datasets.write(tmp_path / "a.npz", ARRAYS, TABLE)
    datasets.write(tmp_path / "b.npz", arrays, provenance)
    first, second = (content_digest(tmp_path / f"{name}.npz") for name in "ab")
    assert (first == second) is same
    assert second == datasets.read(tmp_path / "b.npz").digest


@pytest.mark.parametrize("name", ["a.npz", "a.parquet", "a.svg"])
def test_the_digest_of_a_damaged_or_other_file_covers_all_bytes(tmp_path, name):
    (tmp_path / name).write_text("half")
    assert content_digest(tmp_path / name) == sha256_of(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        content_digest(tmp_path / f"none-{name}")


STYLE = '# All figures\nfont.size: 8\nhatch.color: "#ff0000" # red\n'


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ('font.size:   8\n\nhatch.color : "#ff0000"\n', True),
        ('hatch.color: "#ff0000"\nfont.size: 8', True),
        ('hatch.color: "#ff0000"\nfont.size: 9', False),
        ('font.size: 8\nhatch.color: "#ff0001"\n', False),
        ('# font.size: 8\nhatch.color: "#ff0000"\n', False),
        ('font.size: 8\nhatch.color: "#ff0000"\nfont.size: 9\n', False),
    ],
)
def test_the_digest_of_a_style_covers_its_settings_in_any_order(tmp_path, changed, same):
    (tmp_path / "a.mplstyle").write_text(STYLE)
    (tmp_path / "b.mplstyle").write_text(changed)
    assert (content_digest(tmp_path / "a.mplstyle") == content_digest(tmp_path / "b.mplstyle")) is same


TEMPLATE = "<p>\n  {{ words }}\n</p>\n"


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (f"{{# Two\nlines. #}}\n{TEMPLATE}", True),
        (TEMPLATE.replace("</p>", "  {# A comment. #}\n</p>"), True),
        (TEMPLATE.replace("</p>", "more</p>"), False),
        # These comments remove the line break or the blanks beside them.
        (TEMPLATE.replace("}}\n", "}} {# x #}\n"), False),
        (TEMPLATE.replace("</p>", "{#- x -#}\n</p>"), False),
    ],
)
def test_the_digest_of_a_template_does_not_cover_comments_that_print_nothing(tmp_path, changed, same):
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    printed = [environment.from_string(text).render(words="It is.") for text in (TEMPLATE, changed)]
    assert not same or printed[0] == printed[1]
    (tmp_path / "templates").mkdir()
    one, other = (tmp_path / "templates" / f"{name}.html" for name in "ab")
    one.write_text(TEMPLATE)
    other.write_text(changed)
    assert (content_digest(one) == content_digest(other)) is same
