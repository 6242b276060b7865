import re

import pytest

from reproduce.config import files
from reproduce.errors import UserError

TWICE = """\
experiments:
  zero_init:
    steps: 5
    grids: {a: {axes: {depth: 1}}}
    "steps": 6
"""


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("experiments={zero_init: {steps: 5}}", {"experiments": {"zero_init": {"steps": 5}}}),
        ("experiments={zero_init: null}", {"experiments": {"zero_init": None}}),
        ("a={b: [1, 2.5, 1.0e-4, true, null, text, '5']}", {"a": {"b": [1, 2.5, 1e-4, True, None, "text", "5"]}}),
        ("a='{b: 1}'", {"a": {"b": 1}}),
        ("a=", {"a": None}),
        ("a={b: x=y}", {"a": {"b": "x=y"}}),
    ],
)
def test_an_entry_of_the_command_line_has_the_same_value_as_in_a_file(entry, value):
    assert files.of_command_line([entry]) == value


def test_later_entries_of_the_command_line_are_merged_into_earlier_ones():
    entries = ("a={b: {c: 1}}", "a={b: {d: 3}}", "e=4", "e=5")
    assert files.of_command_line(entries) == {"a": {"b": {"c": 1, "d": 3}}, "e": 5}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        *((f"a={'[' * depth}", f"--config a={'[' * depth}: brackets or keys are") for depth in (900, 100_000)),
        ("a=2026-13-45", "--config a=2026-13-45: month must be in"),
        ("a={b: ", "--config a={b: : while parsing"),
        ("a={b: {c: 1, c: 2}}", "--config a={b: {c: 1, c: 2}}: the key 'c'"),
    ],
)
def test_wrong_entries_of_the_command_line_are_reported(entry, told):
    with pytest.raises(UserError) as error:
        files.of_command_line([entry])
    assert str(error.value).startswith(told)


@pytest.mark.parametrize(
    ("text", "told", "line"),
    [
        (TWICE, "the key 'steps' is given twice; remove the second one", 5),
        ('{\n  "a": 1,\n  "a": 2}', "the key 'a' is given twice; remove the second one", 3),
        ("a:\n  b: {c: 1\nd: 2\n", "did not find expected ',' or '}'", 3),
        ("a: 1\n\tb: 2\n", "found a tab character that violates indentation", 2),
        ("a: &a [1]\nb: &b {c: *a,\n  d: [*b]}\n", "*b stands within &b, so that this contains itself", 3),
    ],
)
def test_a_wrong_file_is_reported_with_its_name_and_line(tmp_path, text, told, line):
    path = tmp_path / "own.yaml"
    path.write_text(text)
    for read in (files.check_keys, files.read):
        with pytest.raises(UserError, match=re.escape(f'{told} in "{path}", line {line}, column')):
            read([path])


def test_keys_that_occur_once_are_no_fault(tmp_path):
    (tmp_path / "own.yaml").write_text("a: [{b: 1}, {b: 2}]\nc: {b: 3}\nd: &d {b: 4}\ne: {<<: *d, b: 5}\n")
    files.check_keys(tmp_path.iterdir())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1"])
def test_a_file_in_another_encoding_is_refused_by_name(tmp_path, encoding):
    (tmp_path / "own.yaml").write_text("only: null  # ä\n", encoding=encoding)
    with pytest.raises(UserError, match=r"own\.yaml: 'utf-8' codec can't decode byte"):
        files.read([tmp_path / "own.yaml"])


@pytest.mark.parametrize("text", ["", "- a\n", "text", "experiments:\n", "experiments: [a]\n"])
def test_a_file_without_keys_is_refused_by_name(tmp_path, text):
    (tmp_path / "own.yaml").write_text(text)
    with pytest.raises(UserError, match=r"own\.yaml.* should be keys with values"):
        files.check_keys([tmp_path / "own.yaml"])


def test_later_files_override_earlier_ones(tmp_path):
    (tmp_path / "own.yaml").write_text("data: {whitened: {images: 7}}\n")
    assert files.read([tmp_path / "own.yaml"])["data"]["whitened"] == {"images": 7, "components": 100}
    with pytest.raises(UserError, match=r"none\.yaml cannot be read: "):
        files.read([tmp_path / "none.yaml"])
