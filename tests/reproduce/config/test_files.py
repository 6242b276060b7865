import pytest

from reproduce.config import files
from reproduce.errors import UserError

TWICE = """\
experiments:
  zero_init:
    steps: 5
    grids: {a: {axes: {depth: 1, "depth": 2}}}
    steps: 6
data: {whitened: {images: 1}}
experiments: null
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
    entries = ("a={b: {c: 1}}", "a={b: {d: 3}}", "e=4")
    assert files.of_command_line(entries) == {"a": {"b": {"c": 1, "d": 3}}, "e": 4}
    for twice, key in (
        (("only=[a]", "only=[b]"), "only"),
        ((*entries, "a={b: {d: 4}}"), "a.b.d"),
        (("a=1", "a={}"), "a"),
    ):
        with pytest.raises(UserError, match=rf"^--config: {key} is given twice; keep one of the two$"):
            files.of_command_line(twice)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("a={b: ", "--config a={b: : no YAML: while parsing"),
        ("a={b: {c: 1, c: 2}}", "--config: a.b.c is given twice; keep one of the two"),
        ("a={steps: 1:40}", "--config: a.steps: YAML reads 1:40 as 100; write 100"),
    ],
)
def test_wrong_entries_of_the_command_line_are_reported(entry, told):
    with pytest.raises(UserError) as error:
        files.of_command_line([entry])
    assert str(error.value).startswith(told)


def test_duplicate_keys_are_reported_with_their_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(TWICE)
    # Tabs are allowed in JSON only.
    (tmp_path / "own.json").write_text('{\n\t"a": 1,\n\t"a": 2}')
    with pytest.raises(UserError, match="json:3: a is given twice"):
        files.check_keys(["own.json"])
    for path in ("own.yaml", tmp_path / "own.yaml"):
        with pytest.raises(UserError) as error:
            files.check_keys([path])
        assert str(error.value).splitlines() == [
            "own.yaml:4: experiments.zero_init.grids.a.axes.depth is given twice; keep one of the two",
            "own.yaml:5: experiments.zero_init.steps is given twice; keep one of the two",
            "own.yaml:7: experiments is given twice; keep one of the two",
        ]


def test_values_that_yaml_misreads_are_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(
        "a: {steps: 16:40, text: '16:40', seeds: [[0, 01000]]}\nb: -1:30.5\nc: [0, 10, 1.5e3, 0x10, 08:aa, 1000, 0.5]\n"
    )
    (tmp_path / "loop.yaml").write_text("a: &x\n  b: [1, *x]\nc: &y 1\nd: [*y, *y]\n")
    with pytest.raises(UserError) as error:
        files.check_keys(["own.yaml", "loop.yaml"])
    assert str(error.value).splitlines() == [
        "own.yaml:1: a.steps: YAML reads 16:40 as 1000; write 1000, or '16:40' for a text",
        "own.yaml:1: a.seeds: YAML reads 01000 as 512; write 512, or '01000' for a text",
        "own.yaml:2: b: YAML reads -1:30.5 as -90.5; write -90.5, or '-1:30.5' for a text",
        "loop.yaml:1: a.b refers to itself (*NAME inside of what &NAME marks); write it out",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "a:\n  b: {c: 1\nd: 2\n",
            "own.yaml:3: no YAML: did not find expected ',' or '}' (while parsing a flow mapping",
        ),
        ("a: 1\n\tb: 2\n", "own.yaml:2: no YAML: found a tab character that violates indentation"),
        ("a: 1\nb: [\n", "own.yaml:3: no YAML: "),
        ("a: \0\n", "own.yaml: no YAML: "),
    ],
)
def test_what_is_no_yaml_is_reported_with_file_and_line(tmp_path, monkeypatch, text, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text(text)
    for read in (files.check_keys, files.read):
        monkeypatch.setattr(files, "DEFAULT", tmp_path / "own.yaml")
        with pytest.raises(UserError) as error:
            read(["own.yaml"])
        assert told in str(error.value)


def test_keys_that_occur_once_are_no_fault(tmp_path):
    (tmp_path / "own.yaml").write_text("a: [{b: 1}, {b: 2}]\nc: {b: 3}\nd: &d {b: 4}\ne: {<<: *d, b: 5}\n")
    (tmp_path / "own.json").write_text('{\n\t"a": {\n\t\t"b": 1}}')
    (tmp_path / "empty.yaml").write_text("")
    files.check_keys(tmp_path.iterdir())


def test_later_files_override_earlier_ones(tmp_path):
    (tmp_path / "own.yaml").write_text("data: {whitened: {images: 7}}\n")
    (tmp_path / "twice.yaml").write_text(TWICE)
    assert files.read([tmp_path / "own.yaml"])["data"]["whitened"] == {"images": 7, "components": 100}
    with pytest.raises(UserError, match=r"twice\.yaml:5: experiments\.zero_init\.steps is given twice"):
        files.read([tmp_path / "twice.yaml"])
