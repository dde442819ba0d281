"""Files from outside: what they claim, where they lead, and what they would run."""

from __future__ import annotations

import ast
import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import xarray
import zarr

import fangs
from fangs.io import guard, read_matrix
from fangs.io.archive import read_archive, write_archive
from fangs.io.registry import source_of
from fangs.io.weights import read_weights
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


def npz_bomb(path):
    np.savez_compressed(path, Z=np.zeros((3000, 100, 100), dtype=np.uint8))


def own_bomb(path):
    arrays = {"bits": np.zeros((10**7, 1), dtype=np.uint8)}
    write_archive(path, kind="samples", record={"n_items": 8}, arrays=arrays)


@pytest.mark.parametrize(
    ("make", "suffix"),
    [
        (hdf5_bomb, ".h5"),
        (hdf5_chunk_bomb, ".h5"),
        (netcdf_bomb, ".nc"),
        (zarr_bomb, ".zarr"),
        (parquet_bomb, ".parquet"),
        (npz_bomb, ".npz"),
        (own_bomb, ".npz"),
    ],
)
def test_a_small_file_may_not_unpack_to_anything(make, suffix, tmp_path, monkeypatch):
    make(tmp_path / f"bomb{suffix}")
    monkeypatch.setattr(guard, "MAX_BYTES", 2**21)
    refused(tmp_path / f"bomb{suffix}", r"(unpacks to more than|claims \d+ bytes).*FANGS_MAX_BYTES")


BOMB = """
import resource, sys
import fangs
try:
    fangs.read(sys.argv[1])
except ValueError as error:
    assert "FANGS_MAX_BYTES" in str(error), error
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted differently elsewhere")
def test_coordinates_are_not_read_before_their_size_is_known(tmp_path):
    netcdf_bomb(tmp_path / "bomb.nc")
    command = [sys.executable, "-c", BOMB, str(tmp_path / "bomb.nc")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1000  # MB


def test_the_limit_can_be_raised(tmp_path, monkeypatch):
    npz_bomb(tmp_path / "bomb.npz")
    monkeypatch.setattr(guard, "MAX_BYTES", 2**21)
    monkeypatch.setenv("FANGS_MAX_BYTES", str(2**26))
    assert len(fangs.read(tmp_path / "bomb.npz")) == 3000


@pytest.mark.parametrize("suffix", [".h5", ".nc"])
@pytest.mark.parametrize("how", ["link", "virtual", "external"])
def test_paths_inside_a_file_are_not_followed(suffix, how, tmp_path):
    stack = np.ones((4, 3, 2), dtype=np.uint8)
    draws = xarray.DataArray(stack, dims=("draw", "item", "feature")).to_dataset(name="Z")
    draws.to_netcdf(tmp_path / "secret.nc", engine="h5netcdf")
    (tmp_path / "secret.bin").write_bytes(bytes(24))
    with h5py.File(tmp_path / f"open{suffix}", "w") as file:
        if how == "link":
            file["Z"] = h5py.ExternalLink(str(tmp_path / "secret.nc"), "/Z")
        elif how == "virtual":
            layout = h5py.VirtualLayout((4, 3, 2), "u1")
            layout[:] = h5py.VirtualSource(str(tmp_path / "secret.nc"), "Z", (4, 3, 2))
            file.create_virtual_dataset("Z", layout)
        else:
            place = [(str(tmp_path / "secret.bin"), 0, 24)]
            file.create_dataset("Z", (4, 3, 2), "u1", external=place)
    refused(tmp_path / f"open{suffix}", "has no|another file")


def test_a_zip_archive_is_never_unpacked_to_a_path(tmp_path):
    with zipfile.ZipFile(tmp_path / "d.npz", "w") as file:
        file.writestr("../../evil.npy", b"\x93NUMPY")
    refused(tmp_path / "d.npz", "NumPy's format")
    assert [path.name for path in tmp_path.iterdir()] == ["d.npz"]
    assert not (tmp_path / "../../evil.npy").exists()


def test_pickles_are_never_loaded(tmp_path):
    np.save(tmp_path / "d.npy", np.array([print], dtype=object), allow_pickle=True)
    refused(tmp_path / "d.npy", "never loads")
    refused(tmp_path / "d.npy", "never loads", read_matrix)
    np.savez(tmp_path / "d.npz", Z=np.array([print], dtype=object), allow_pickle=True)
    refused(tmp_path / "d.npz", "never loads")
    refused(tmp_path / "d.npy", "never loads", lambda path: read_weights(str(path), "x.npz"))


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
    ("record", "arrays", "reason"),
    [
        ({"a": 99}, {}, "a = 99"),
        ({"a": "1"}, {}, "'1' for a"),
        ({"expected_loss": float("nan")}, {}, "'nan' for expected_loss"),
        ({"expected_loss": -1}, {}, "'-1' for expected_loss"),
        ({"items": ["x"]}, {}, "items has 1 labels"),
        ({"items": 7}, {}, "'7' for items"),
        ({"items": [1, "1", *range(2, 100)]}, {}, "'1' more than once"),
        ({"items": [float("nan"), *range(99)]}, {}, r"items\[0\] is nan"),
        ({"is_flip_optimal": 1}, {}, "for is_flip_optimal"),
        ({"n_ties": -3}, {}, "'-3' for n_ties"),
        ({"lower_bound": "low"}, {}, "for lower_bound"),
        ({"expected_loss": 1e308}, {}, "its expected loss is 1e[+]308, but"),
        ({"lower_bound": 1e9}, {}, "is below its lower bound"),
        ({"search": {"seconds": {"all": 10**400}}}, {}, "no seed|for seconds"),
        ({"note": 3}, {}, "'3' for note"),
        ({"unknown": 3}, {}, "record of the estimate is damaged"),
        ({"search": {"unknown": 1}}, {}, "record of the search is damaged"),
        ({"search": {}}, {}, "no seed"),
        ({"search": {"seed": 1, "starts": [{"method": 3}]}}, {}, "'3' for method"),
        ({}, {"matrix": lambda x: x * 7}, "the value 7 at item"),
        ({}, {"matrix": lambda x: x[:, :-1]}, "'proportions' has the shape"),
        ({}, {"matrix": lambda x: x.ravel()}, "'matrix' has the shape"),
        ({}, {"proportions": lambda x: x * np.nan}, "'proportions' has a value"),
        ({}, {"proportions": lambda x: x + 2}, "'proportions' has a value"),
        ({}, {"losses": lambda x: x * np.nan}, "'losses' has a value"),
        ({}, {"losses": lambda x: x - 1e6}, "'losses' has a value"),
        ({}, {"losses": lambda x: x[:3]}, "'draw_features' has the shape"),
        ({}, {"losses": lambda x: x + 1}, "its losses have the mean"),
        ({}, {"matrix": lambda x: x * 0}, "a feature without any item"),
        ({}, {"draw_ones": lambda x: x + 2**62}, "'draw_ones' has a value"),
        ({}, {"draw_features": lambda x: x.astype("u8") + 2**63}, "'draw_features' has a value"),
        ({}, {"draw_ones": lambda x: x * 1.5}, "'draw_ones' is of type"),
        ({}, {"draw_chains": lambda x: x[:3]}, "chains has shape"),
    ],
)
def test_an_estimate_from_a_file_is_checked(record, arrays, reason, tmp_path, estimate):
    estimate.save(tmp_path / "e.npz")
    old_record, old_arrays = read_archive(tmp_path / "e.npz", kind="estimate")
    changed = {name: change(old_arrays[name]) for name, change in arrays.items()}
    write_archive(
        tmp_path / "bad.npz", kind="estimate", record=old_record | record,
        arrays=old_arrays | changed,
    )  # fmt: skip
    refused(tmp_path / "bad.npz", reason, fangs.load)


@pytest.mark.parametrize("weights", [0, 2**52, 2**62])
def test_weights_of_an_estimate_are_checked(weights, tmp_path, draws):
    weighed = fangs.Samples(list(draws), weights=np.ones(len(draws), int))
    fangs.estimate(weighed, seed=1).save(tmp_path / "e.npz")
    record, arrays = read_archive(tmp_path / "e.npz", kind="estimate")
    arrays["weights"] = np.full(len(draws), weights)
    write_archive(tmp_path / "bad.npz", kind="estimate", record=record, arrays=arrays)
    refused(tmp_path / "bad.npz", "weights", fangs.load)


@pytest.mark.parametrize("error", ["x", float("nan"), float("inf"), -1.0, None])
def test_the_error_of_weights_is_checked(error, tmp_path, draws):
    fangs.Samples(list(draws), weights=np.ones(len(draws))).save(tmp_path / "d.npz")
    record, arrays = read_archive(tmp_path / "d.npz", kind="samples")
    record["weights_error"] = error
    write_archive(tmp_path / "bad.npz", kind="samples", record=record, arrays=arrays)
    refused(tmp_path / "bad.npz", "as error of its weights", fangs.read)


def test_characters_that_do_not_exist_are_refused(tmp_path):
    wrong = np.array([[0x110000, 65]], dtype=np.uint32).view("U2").ravel()
    np.savez(tmp_path / "d.npz", Z=np.ones((2, 1, 1)), items=wrong)
    refused(tmp_path / "d.npz", "characters that do not exist")


def test_a_changed_record_is_noticed(tmp_path, estimate):
    estimate.save(tmp_path / "e.npz")
    with np.load(tmp_path / "e.npz") as file:
        arrays = dict(file)
    record = json.loads(str(arrays["fangs"]))
    arrays["fangs"] = np.array(json.dumps(record | {"a": 0.5}))
    np.savez(tmp_path / "bad.npz", **arrays)
    refused(tmp_path / "bad.npz", "checksums do not fit", fangs.load)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("m.csv", b"item\n", "0 and 1|no row|has 0"),
        ("m.csv", b'item,1\n"a,1\n', "unexpected end"),
        ("m.csv", b"item,1\n\xff,1\n", "UTF-8"),
        ("m.json", b"[", "Expecting value"),
        ("m.json", b'{"matrix": [[1]], "items": 3}', "no list of labels"),
        ("m.json", b'{"matrix": [[1], [1, 0]]}', "different lengths"),
        ("m.json", b'{"matrix": "x"}', "type|dimension"),
        ("m.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", 9) + b"nonsense\n", "NumPy's format"),
        ("m.npz", b"PK", "complete|damaged"),
    ],
)
def test_a_damaged_matrix_is_refused_in_one_line(name, content, reason, tmp_path):
    (tmp_path / name).write_bytes(content)
    if content == b"item\n":
        assert read_matrix(tmp_path / name).matrix.shape == (0, 0)
    else:
        refused(tmp_path / name, reason, read_matrix)


@pytest.mark.parametrize("name", ["d.npy", "d.npz", "members.npz", "d.h5", "d.nc", "d.zarr"])
def test_a_file_that_is_replaced_while_it_is_read_is_refused(name, tmp_path):
    def write(n_draws):
        stack = np.ones((n_draws, 3, 2), dtype=np.uint8)
        new = tmp_path / "new" / name
        new.parent.mkdir()
        if name == "d.npy":
            np.save(new, stack)
        elif name == "d.npz":
            np.savez(new, stack)
        elif name == "members.npz":
            np.savez(new, *stack)
        else:
            fangs.Samples(stack).save(new)
        if (tmp_path / name).is_dir():
            shutil.rmtree(tmp_path / name)
        os.replace(new, tmp_path / name)
        new.parent.rmdir()

    write(4)
    before = source_of(tmp_path / name, None)
    assert len(list(before.read(np.arange(4)))) == 4
    write(5)
    with pytest.raises(ValueError, match="changed while it was read; read it again"):
        list(before.read(np.arange(4)))


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
    refused(path, "a folder, a device or a pipe", fangs.load)


def test_a_lack_of_memory_is_no_damage(tmp_path):
    def read():
        with guard.naming(tmp_path / "d.npz"):
            raise MemoryError

    with pytest.raises(MemoryError, match=r"not enough memory to read .*d\.npz"):
        read()
