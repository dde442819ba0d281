"""The core gives the same results with and without the vector instructions of x86-64."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def output(folder, name, *flags):
    """What portable.cpp prints when it is compiled with these flags."""
    program = folder / name
    source = HERE / "portable.cpp"
    include = f"-I{HERE.parents[1]}/cpp"
    command = ["c++", "-std=c++20", "-O0", "-pthread", include, *flags, source, "-o", program]
    subprocess.run(command, check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return output(tmp_path_factory.mktemp("usual"), "usual")


def test_plain_code_gives_what_vector_instructions_give(usual, tmp_path):
    assert usual.count("items,") == 7
    assert output(tmp_path, "plain", "-U__SSE2__", "-D__POPCNT__") == usual
