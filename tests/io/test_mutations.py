"""Damaged files: every reader says one line with the name, or reads draws."""

from __future__ import annotations

import os
import shutil
import struct
import zipfile

import numpy as np
import pytest

import fangs
from fangs.io import registry
from fuzz.mutate import mutated

N_MUTATIONS = int(os.environ.get("FANGS_MUTATIONS", "60"))
"""Mutants of each file; set the variable for a longer run."""

SAMPLES = fangs.Samples(
    [np.random.default_rng(b).integers(2, size=(6, 1 + b % 4)) for b in range(12)],
    items=[f"item {i}" for i in range(6)],
    chains=[0] * 6 + [1] * 6,
)
WANTED = [draw.tolist() for draw in SAMPLES]


def attempt(path):
    """The draws, or None if the file was refused in one line with its name."""
    found, message = None, f"{path.name} was read"
    try:
        found = fangs.read(path)
    except ValueError as error:
        message = str(error)
    assert path.name in message
    assert "\n" not in message
    return found


def files(folder):
    """A file of every kind that can be read."""
    for suffix in registry.SAMPLES_WRITERS:
        SAMPLES.save(folder / f"own{suffix}")
    np.save(folder / "stack.npy", np.ones((4, 3, 2), dtype=np.uint8))
    np.savez(folder / "members.npz", *list(SAMPLES), chains=SAMPLES.chains)
    np.savez_compressed(folder / "stack.npz", Z=np.ones((4, 3, 2)))
    (folder / "wide.csv").write_text("lp__,Z.1.1,Z.2.1\n-1,0,1\n-2,1,1\n")
    return sorted(folder.iterdir())


KINDS = [f"own{suffix}" for suffix in registry.SAMPLES_WRITERS]
KINDS += ["stack.npy", "members.npz", "stack.npz", "wide.csv"]


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("originals")
    assert sorted(KINDS) == [path.name for path in files(folder)]
    return folder


@pytest.mark.parametrize("name", KINDS)
def test_damaged_files_are_refused_in_one_line(name, originals, tmp_path):
    rng = np.random.default_rng(len(name))
    n_read = 0
    n_mutations = (
        N_MUTATIONS // 3 if name in ("own.nc", "own.zarr") else N_MUTATIONS
    )  # these take long
    for _ in range(n_mutations):
        target = tmp_path / name
        if (originals / name).is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(originals / name, target)
            inside = sorted(path for path in target.rglob("*") if path.is_file())
            victim = inside[int(rng.integers(len(inside)))]
        else:
            shutil.copyfile(originals / name, target)
            victim = target
        victim.write_bytes(mutated(victim.read_bytes(), rng))
        found = attempt(target)
        n_read += found is not None
        if name == "own.npz" and found is not None:  # checksums notice what matters
            assert [draw.tolist() for draw in found] == WANTED
            assert found.items == SAMPLES.items
            assert found.chains.tolist() == SAMPLES.chains.tolist()
    assert n_read < n_mutations  # mutations do damage


def test_a_damaged_estimate_is_refused_or_equal(tmp_path, estimate):
    estimate.save(tmp_path / "e.npz")
    content, rng = (tmp_path / "e.npz").read_bytes(), np.random.default_rng(1)
    for _ in range(N_MUTATIONS):
        (tmp_path / "e.npz").write_bytes(mutated(content, rng))
        again, message = None, ""
        try:
            again = fangs.load(tmp_path / "e.npz")
        except ValueError as error:
            message = str(error)
        if again is None:
            assert "e.npz" in message
            continue
        assert np.array_equal(again.losses, estimate.losses)
        assert again.search == estimate.search


def header(shape, descr="|u1"):
    text = str({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(10 + len(text) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    "shape", [(10**12, 5, 0), (10**12, 0, 5), (10**12, 5, 5), (2, 10**9, 10**9), (1, 2**62, 4)]
)
def test_a_header_may_not_claim_what_is_not_there(shape, tmp_path):
    (tmp_path / "d.npy").write_bytes(header(shape))
    with zipfile.ZipFile(tmp_path / "d.npz", "w") as file:
        file.writestr("Z.npy", header(shape))
    for name in ("d.npy", "d.npz"):
        with pytest.raises(ValueError, match=rf"{name}.*(claims|does not fit)"):
            fangs.read(tmp_path / name)


def test_a_member_that_is_not_used_is_not_unpacked(tmp_path):
    path = tmp_path / "d.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Z.npy", header((2, 1, 1)) + b"\1\1")
        file.writestr("junk.npy", b"\0" * 100_000)
    data = bytearray(path.read_bytes())
    # The other member has a wrong length, and its content is spoilt: unpacking it would fail.
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 90_000)
    start = data.index(b"junk.npy") + 8
    data[start : start + 20] = bytes(20)
    path.write_bytes(data)
    assert len(fangs.read(path, variable="Z")) == 2


def test_an_archive_with_another_number_of_items_is_refused(tmp_path):
    from fangs.io.archive import read_archive, write_archive

    SAMPLES.save(tmp_path / "d.npz")
    record, arrays = read_archive(tmp_path / "d.npz", kind="samples")
    changes = [
        ({"n_items": 7}, {}, "other labels|more than|another length"),
        ({"n_items": 5, "items": None}, {}, "more than the 5 items"),
        ({"n_items": 9, "items": None}, {}, "claims 9 items"),
        ({"n_items": 0}, {}, "claims 0 items"),
        ({}, {"n_features": arrays["n_features"] + 1}, "its draws claim other numbers"),
        ({}, {"columns": arrays["columns"] + 9}, "a column that its draw does not have"),
        ({}, {"chains": arrays["chains"][:3]}, "chains has the shape"),
        ({}, {"bits": arrays["bits"].astype(float)}, "no array 'bits'"),
    ]
    for new_record, new_arrays, reason in changes:
        write_archive(
            tmp_path / "bad.npz",
            kind="samples",
            record=record | new_record,
            arrays=arrays | new_arrays,
        )
        with pytest.raises(ValueError, match=rf"bad\.npz.*({reason})"):
            fangs.read(tmp_path / "bad.npz")


def test_arrays_that_were_exchanged_are_noticed(tmp_path):
    SAMPLES.save(tmp_path / "d.npz")
    with np.load(tmp_path / "d.npz") as file:
        arrays = dict(file)
    arrays["chains"] = arrays["chains"][::-1]
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(ValueError, match="checksums do not fit"):
        fangs.read(tmp_path / "bad.npz")
    np.savez(tmp_path / "less.npz", **{k: v for k, v in arrays.items() if k != "chains"})
    with pytest.raises(ValueError, match="checksums do not fit"):
        fangs.read(tmp_path / "less.npz")


def test_an_estimate_is_not_taken_for_draws(tmp_path, estimate):
    estimate.save(tmp_path / "e.npz")
    with pytest.raises(ValueError, match=r"holds a fangs estimate, not draws; fangs\.load"):
        fangs.read(tmp_path / "e.npz")
