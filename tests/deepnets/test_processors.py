"""No recorded number depends on the processor: the fast tests of the science pass with the kernels of others."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch

from conftest import HANGS, ROOT

# The name of a processor for torch → its names for OpenBLAS, torch and oneDNN, and the features that NumPy keeps.
PROCESSORS = {
    "DEFAULT": ("Prescott", "default", "SSE41", ()),
    "AVX2": ("Haswell", "avx2", "AVX2", ("X86_V3",)),
    "AVX512": ("SkylakeX", "avx512", "AVX512_CORE", ("X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR")),
}
VARIABLES = ("OPENBLAS_CORETYPE", "ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "NPY_DISABLE_CPU_FEATURES")


@pytest.mark.nightly
@pytest.mark.xdist_group("processors")
@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_fast_tests_of_the_science_pass_with_the_kernels_of_another_processor(processor, tmp_path):
    names = list(PROCESSORS)
    if names.index(processor) > names.index(torch.backends.cpu.get_cpu_capability()):
        pytest.skip(f"this processor has no {processor}")
    *kernels, kept = PROCESSORS[processor]
    features = [each for each in np.show_config(mode="dicts")["SIMD Extensions"]["found"] if each not in kept]
    played = dict(zip(VARIABLES, (*kernels, " ".join(features)), strict=True))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not nightly"]
    command += ["-c", str(ROOT / "pyproject.toml"), f"--basetemp={tmp_path / 'tests'}", str(ROOT / "tests/deepnets")]
    # Variables of pytest and CI_TIERS would make the inner tests workers or nightly ones.
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "CI_TIERS"))}
    tests = subprocess.run(command, env=own | played, capture_output=True, text=True, timeout=HANGS)
    assert tests.returncode == 0 and " passed" in tests.stdout, tests.stdout[-5000:] + tests.stderr[-2000:]
