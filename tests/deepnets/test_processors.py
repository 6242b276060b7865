"""No recorded number depends on the processor: the fast tests of the science pass with the kernels of others."""

import os
import subprocess
import sys

import pytest
import torch

from conftest import HANGS, ROOT

# What torch calls a processor → variables with which OpenBLAS, torch and oneDNN take it for the machine's.
PROCESSORS = {
    "DEFAULT": {"OPENBLAS_CORETYPE": "Prescott", "ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41"},
    "AVX2": {"OPENBLAS_CORETYPE": "Haswell", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"},
    "AVX512": {"OPENBLAS_CORETYPE": "SkylakeX", "ATEN_CPU_CAPABILITY": "avx512", "ONEDNN_MAX_CPU_ISA": "AVX512_CORE"},
}


@pytest.mark.nightly
@pytest.mark.xdist_group("processors")
@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_fast_tests_of_the_science_pass_with_the_kernels_of_another_processor(processor, tmp_path):
    names = list(PROCESSORS)
    if names.index(processor) > names.index(torch.backends.cpu.get_cpu_capability()):
        pytest.skip(f"this processor has no {processor}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not nightly"]
    command += ["-c", str(ROOT / "pyproject.toml"), f"--basetemp={tmp_path / 'tests'}", str(ROOT / "tests/deepnets")]
    # Variables of pytest and CI_TIERS would make the inner tests workers or nightly ones.
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "CI_TIERS"))}
    tests = subprocess.run(command, env=own | PROCESSORS[processor], capture_output=True, text=True, timeout=HANGS)
    assert tests.returncode == 0 and " passed" in tests.stdout, tests.stdout[-5000:] + tests.stderr[-2000:]
