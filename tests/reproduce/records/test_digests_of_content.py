import json
from dataclasses import replace

import jinja2
import numpy as np
import pyarrow as pa
import pytest

from reproduce.records import datasets
from reproduce.records.content import content_digest, style_fault
from reproduce.records.provenance import Provenance, sha256_of
from reproduce.records.tables import write_table

SPEC = {"experiment": "a", "grids": [{"axes": {"depth": [1]}}], "code": "m.run:run@1"}
TABLE = Provenance(json.dumps(SPEC), "m.aggregate:main@2", {"runs": "ab"}, "", ("numpy",))
ROWS = pa.table({"depth": [0, 0], "value": [1.0, 2.0]})
ARRAYS = {"images": np.arange(6.0).reshape(2, 3), "pairs": np.zeros(2, [("a", "i4"), ("b", "i4")])}


@pytest.mark.parametrize(
    ("rows", "provenance", "same"),
    [
        (ROWS, replace(TABLE, inputs={"runs": "cd"}), True),
        (ROWS, replace(TABLE, spec=json.dumps({**SPEC, "code": "m.run:run@9"})), True),
        (ROWS, replace(TABLE, spec=json.dumps({**SPEC, "grids": []})), False),
        # The code that joined the runs, and the packages that it used.
        (ROWS, replace(TABLE, code="m.aggregate:main@3"), False),
        (ROWS, replace(TABLE, packages=()), False),
        (ROWS, replace(TABLE, reduced="half"), False),
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
        (ARRAYS, replace(TABLE, spec="{}", code="m.data.mnist.make:make@4", packages=()), True),
        (ARRAYS, replace(TABLE, reduced="half"), False),
        ({**ARRAYS, "images": ARRAYS["images"][::-1]}, TABLE, False),
        ({"pairs": ARRAYS["pairs"], "others": ARRAYS["images"]}, TABLE, False),
        ({**ARRAYS, "images": ARRAYS["images"].reshape(3, 2)}, TABLE, False),
        ({**ARRAYS, "pairs": np.zeros(2, [("b", "i4"), ("a", "i4")])}, TABLE, False),
        # Sums depend on the order in memory.
        ({**ARRAYS, "images": np.asfortranarray(ARRAYS["images"])}, TABLE, False),
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


@pytest.mark.parametrize(
    ("folder", "changed", "same"),
    [
        ("documents/one", "# A\n\n\n## B\ntext\n  \n", True),
        ("documents/one", "# A\r\n## B\r\ntext\r\n", False),
        ("documents/one", "# A\n## B\nother\n", False),
        ("documents/one", "# A\n## B text\n", False),
        ("results", "# A\n## B\ntext\n\n", False),
    ],
)
def test_blank_lines_of_statements_do_not_count(tmp_path, folder, changed, same):
    path = tmp_path / folder / "claims.md"
    path.parent.mkdir(parents=True)
    digests = set()
    for text in ("# A\n## B\ntext\n", changed):
        path.write_bytes(text.encode())
        digests.add(content_digest(path))
    assert (len(digests) == 1) is same


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fnt.size: 9", "3: 'fnt.size' is no setting of Matplotlib; allowed: font.size"),
        ("size = 9", "3: 'size = 9' is no setting"),
        ("font.size 9", "3: 'font.size 9' is no setting"),
        ("font.size: large one", "3: "),
        ('hatch.color: "#00ff00"  # green', ""),
        ("", ""),
    ],
)
def test_a_style_that_matplotlib_would_ignore_in_part_has_a_fault(tmp_path, line, message):
    path = tmp_path / "a.mplstyle"
    path.write_text(f"# All.\nfont.size: 8\n{line}\n")
    fault = style_fault(path)
    assert fault.startswith(message) and bool(fault) == bool(message)


STYLE = '# All figures\nfont.size: 8\nhatch.color: "#ff0000" # red\n'
TEMPLATE = "<p>\n  {{ words }}\n</p>\n"


@pytest.mark.parametrize(
    ("text", "changed", "same"),
    [
        # A style is the same in any order.
        (STYLE, 'font.size:   8\n\nhatch.color : "#ff0000"\n', True),
        (STYLE, 'hatch.color: "#ff0000"\nfont.size: 8', True),
        (STYLE, 'hatch.color: "#ff0000"\nfont.size: 9', False),
        (STYLE, 'font.size: 8\nhatch.color: "#ff0001"\n', False),
        (STYLE, '# font.size: 8\nhatch.color: "#ff0000"\n', False),
        (STYLE, 'font.size: 8\nhatch.color: "#ff0000"\nfont.size: 9\n', False),
        (TEMPLATE, f"{{# Two\nlines. #}}\n{TEMPLATE}", True),
        (TEMPLATE, TEMPLATE.replace("</p>", "  {# A comment. #}\n</p>"), True),
        (TEMPLATE, TEMPLATE.replace("</p>", "more</p>"), False),
        # Between two comments.
        (f"{{# x #}} one\n{{# y #}}\n{TEMPLATE}", f"{{# x #}} two\n{{# y #}}\n{TEMPLATE}", False),
        # These comments remove the line break or the blanks beside them.
        (TEMPLATE, TEMPLATE.replace("}}\n", "}} {# x #}\n"), False),
        (TEMPLATE, TEMPLATE.replace("</p>", "{#- x -#}\n</p>"), False),
    ],
)
def test_the_digest_of_a_style_or_template_does_not_cover_comments_that_change_nothing(tmp_path, text, changed, same):
    suffix = "mplstyle" if text == STYLE else "html"
    if same and text == TEMPLATE:
        environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
        first, second = (environment.from_string(each).render(words="It is.") for each in (text, changed))
        assert first == second
    (tmp_path / "templates").mkdir()
    one, other = (tmp_path / "templates" / f"{name}.{suffix}" for name in "ab")
    one.write_text(text)
    other.write_text(changed)
    assert (content_digest(one) == content_digest(other)) is same
