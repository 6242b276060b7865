import json

from workflow.deepnets.code.modules import PACKAGE
from workflow.deepnets.config.handover import argument_for
from workflow.deepnets.jobs.__main__ import _parser


def given(argument):
    """What a program is given as its spec."""
    return _parser("archive", {}).parse_args(["--spec", argument, "--code", f"{PACKAGE}@0"]).spec


def test_a_spec_reaches_its_program_however_long(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seeds, files in ((10, 0), (30_000, 1), (30_001, 2)):
        spec = json.dumps({"text": "a\x1cb\u2028 @", "seeds": list(range(0, 2 * seeds, 2))})
        argument = argument_for(spec)
        assert given(argument) == spec
        assert len(argument) < 120_000
        assert len(list(tmp_path.rglob("*.json"))) == files
        assert argument_for(spec) == argument
