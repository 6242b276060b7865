import json
import subprocess
import sys

from conftest import ROOT
from deepnets.config.check import schema


def test_the_schema_for_editors_is_printed():
    command = [sys.executable, "-m", "deepnets.tools.schema"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == schema()
