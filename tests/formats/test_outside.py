"""Files from outside: what they claim, what was changed in them, and what they would run."""

from __future__ import annotations

import ast
import os
import struct
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import zarr

import fangs
from fangs.formats import guard, read_matrix
from fangs.formats.weights import read_weights
from fuzz.files import run

SOURCE = Path(fangs.__file__).parent


def refused(path, reason, read=fangs.read):
    """One line with the name of the file and the reason."""
    with pytest.raises(ValueError, match=reason) as caught:
        read(path)
    assert path.name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damaged_files_of_every_kind_are_refused():
    assert run(seconds=0, seed=26) > 0  # a batch; make fuzz runs for long


def hdf5_bomb(path):
    with h5py.File(path, "w") as file:
        file.create_dataset("Z", (10**7, 100, 100), "u1", chunks=(10, 100, 100))


def hdf5_chunk_bomb(path):
    with h5py.File(path, "w") as file:
        file.create_dataset("Z", (2000, 1000, 1000), "u1", chunks=(2000, 1000, 1000))


def netcdf_bomb(path):
    with h5py.File(path, "w") as file:
        data = file.create_dataset("Z", (10**7, 100, 100), "u1", chunks=(10, 100, 100))
        for i, name in enumerate(("draw", "item", "feature")):
            scale = file.create_dataset(name, (data.shape[i],), "u1", chunks=(10,))
            scale.make_scale(name)
            data.dims[i].attach_scale(scale)


def zarr_bomb(path):
    group = zarr.open_group(path, mode="w", zarr_format=2)
    array = group.create_array("Z", shape=(10**7, 100, 100), chunks=(10, 100, 100), dtype="u1")
    array.attrs["_ARRAY_DIMENSIONS"] = ["draw", "item", "feature"]


def parquet_bomb(path):
    columns = {name: pyarrow.array(np.ones(10**6, int)) for name in ("draw", "item", "feature")}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


@pytest.mark.parametrize(
    ("make", "suffix"),
    [
        (hdf5_bomb, ".h5"),
        (hdf5_chunk_bomb, ".h5"),
        (netcdf_bomb, ".nc"),
        (zarr_bomb, ".zarr"),
        (parquet_bomb, ".parquet"),
    ],
)
def test_a_small_file_may_not_unpack_to_anything(make, suffix, tmp_path, monkeypatch):
    make(tmp_path / f"bomb{suffix}")
    monkeypatch.setattr(guard, "MAX_BYTES", 2**21)
    refused(tmp_path / f"bomb{suffix}", r"claims")


BOMB = """
import re, sys
import fangs
try:
    fangs.read(sys.argv[1])
except ValueError as error:
    assert "claims" in str(error), error
# getrusage would count the process that this one was forked from
print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted differently elsewhere")
def test_coordinates_are_not_read_before_their_size_is_known(tmp_path):
    netcdf_bomb(tmp_path / "bomb.nc")
    command = [sys.executable, "-c", BOMB, str(tmp_path / "bomb.nc")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1000  # MB


def test_pickles_are_never_loaded(tmp_path):
    np.save(tmp_path / "d.npy", np.array([print], dtype=object), allow_pickle=True)
    refused(tmp_path / "d.npy", "never loads")
    refused(tmp_path / "d.npy", "never loads", read_matrix)
    np.savez(tmp_path / "d.npz", Z=np.array([print], dtype=object), allow_pickle=True)
    refused(tmp_path / "d.npz", "never loads")
    refused(tmp_path / "d.npy", "never loads", read_weights)


def test_nothing_in_the_source_could_run_a_file():
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = getattr(node, "module", None) or ""
                names = {module, *(alias.name for alias in node.names)}
                assert not names & {"pickle", "marshal", "shelve", "dill", "cloudpickle"}, path
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None)
                assert name not in {"eval", "exec", "compile", "__import__"}, path
                called = ast.unparse(node.func)
                assert called not in {"np.load", "numpy.load", "os.system", "yaml.load"}, path
                for keyword in node.keywords:
                    literal = getattr(keyword.value, "value", None)
                    assert keyword.arg != "allow_pickle" or literal is False, path
                    assert keyword.arg != "shell", path


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("m.csv", b"item\n", "0 and 1|no row|has 0"),
        ("m.csv", b'item,1\n"a,1\n', "unexpected end"),
        ("m.csv", b"item,1\n\xff,1\n", "UTF-8"),
        ("m.json", b"[", "Expecting value"),
        ("m.json", b'{"matrix": [[1]], "items": 3}', "no list of labels"),
        ("m.json", b'{"matrix": [[1], [1, 0]]}', "matrix"),
        ("m.json", b'{"matrix": "x"}', 'no "matrix"'),
        ("m.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", 9) + b"nonsense\n", "NumPy's format"),
        ("m.npz", b"PK", "complete|damaged"),
    ],
)
def test_a_damaged_matrix_is_refused_in_one_line(name, content, reason, tmp_path):
    (tmp_path / name).write_bytes(content)
    if content == b"item\n":
        assert read_matrix(tmp_path / name).values.shape == (0, 0)
    else:
        refused(tmp_path / name, reason, read_matrix)


@pytest.mark.parametrize("chosen", [{}, {"burn_in": 9}, {"thin": 200}])
def test_the_checksum_of_a_zip_archive_counts_for_every_choice_of_draws(chosen, tmp_path):
    path = tmp_path / "d.npz"
    stack = np.random.default_rng(1).integers(2, size=(300, 40, 6), dtype=np.uint8)
    np.savez_compressed(path, Z=stack)
    content = bytearray(path.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 16] ^= 1  # the checksum itself
    path.write_bytes(content)
    refused(path, "CRC", lambda path: fangs.read(path, **chosen))


def test_numbers_in_hdf5_have_checksums(tmp_path):
    path, weights = tmp_path / "d.h5", np.arange(101, 141)
    fangs.Samples(np.ones((40, 3, 2)), weights=weights).save(path)
    content = bytearray(path.read_bytes())
    content[content.index(weights.tobytes())] ^= 1
    path.write_bytes(content)
    refused(path, "damaged")


def test_pages_of_parquet_have_checksums(tmp_path):
    path = tmp_path / "d.parquet"
    fangs.Samples(np.random.default_rng(1).integers(2, size=(40, 30, 2))).save(path)
    content = path.read_bytes()
    column = pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(1)
    start = column.dictionary_page_offset or column.data_page_offset
    last = start + column.total_compressed_size - 2
    path.write_bytes(content[:last] + bytes([content[last] ^ 1]) + content[last + 1 :])
    refused(path, "(?i)checksum|crc")


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_an_estimate_is_not_waited_for(kind, tmp_path):
    path = tmp_path / "e.npz"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    refused(path, "pipe|no .npz file", fangs.load)


def test_a_lack_of_memory_is_no_damage(tmp_path):
    def read():
        with guard.file_errors(tmp_path / "d.npz"):
            raise MemoryError

    with pytest.raises(MemoryError, match=r"not enough memory to read .*d\.npz"):
        read()
