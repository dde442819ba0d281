"""``import fangs`` loads what an estimate needs; the rest comes when it is used."""

import json
import subprocess
import sys

import pytest

import fangs

MOST = 130  # 99 today, 263 when everything was loaded at once

LATER = ("alternatives", "bounds", "cli", "datasets", "distributed", "io", "path", "plot", "report")


def loaded(program):
    """Names of the modules that the program loads beyond those of NumPy."""
    code = f"""
import json, sys
import numpy
before = set(sys.modules)
{program}
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_import_loads_no_subpackage_that_an_estimate_does_not_need():
    modules = loaded("import fangs")
    assert not [name for name in LATER if f"fangs.{name}" in modules]
    assert "importlib.metadata" not in modules


def test_import_loads_few_modules():
    assert len(loaded("import fangs")) <= MOST


def test_functions_stay_functions_after_everything_is_loaded():
    everything = "; ".join(f"fangs.{name}" for name in fangs.__all__)
    check = "assert callable(fangs.modes) and callable(fangs.estimate)"
    program = f"import fangs; {everything}; {check}"
    assert "fangs.path" in loaded(program)


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="estimates"):
        _ = fangs.estimates
