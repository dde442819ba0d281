"""Files are written whole or not at all, and refused before any work."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import fangs
from fangs.formats import whole
from fangs.formats.registry import check_samples_target
from fangs.formats.whole import whole_file, whole_folder

SAMPLES = fangs.Samples([[[1, 0], [1, 1]]])


def write_thesis(folder):
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")


@pytest.mark.parametrize(
    ("name", "make", "reason"),
    [
        ("pipe.npz", os.mkfifo, "a device or a pipe"),
        ("null.npz", lambda path: path.symlink_to("/dev/null"), "a device or a pipe"),
        ("loop.npz", lambda path: path.symlink_to(path), "link|symlink|Symlink|Too many levels"),
        ("x" * 252 + ".npz", None, "name"),
        ("/".join(["x" * 200] * 30) + "/d.npz", None, "name|no directory"),
        ("nul\0.npz", None, "null"),
        ("read-only.npz", lambda path: path.touch(0o444), "read-only"),
        ("folder.zarr", write_thesis, "other files"),
        ("file.zarr", Path.touch, "it is a file"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_targets_that_cannot_be_written_are_refused_before_the_work(name, make, reason, tmp_path):
    if make is not None:
        make(tmp_path / name)
    for refuse in (check_samples_target, SAMPLES.save):
        with pytest.raises(ValueError, match=reason) as caught:
            refuse(tmp_path / name)
        assert str(caught.value).startswith("cannot write ")
        assert "\n" not in str(caught.value)


def test_the_longest_name_is_written_and_permissions_stay(tmp_path):
    path = tmp_path / ("x" * 251 + ".npz")
    SAMPLES.save(path)
    path.chmod(0o640)
    SAMPLES.save(path)
    assert len(fangs.read(path)) == 1
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    with whole_file(tmp_path / "link.json") as file:
        file.write(b"new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


def test_a_store_that_failed_is_removed_although_its_writers_go_on(tmp_path):
    writers = []

    def write_on(folder):
        for k in range(10):
            time.sleep(0.01)
            folder.mkdir(exist_ok=True)
            (folder / str(k)).write_text("a chunk")

    def fail():
        with whole.whole_folder(tmp_path / "d.zarr") as temporary:
            writers.append(threading.Thread(target=write_on, args=[temporary]))
            writers[0].start()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space left"):
        fail()
    writers[0].join()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".json", ".zarr", ".h5", ".nc", ".parquet"])
def test_a_full_disk_is_told_with_the_name(suffix, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole.os, "fsync", full)
    monkeypatch.setattr(whole.os, "replace", full)
    with pytest.raises(OSError, match="No space left") as caught:
        SAMPLES.save(tmp_path / f"d{suffix}")
    assert caught.value.filename == str(tmp_path / f"d{suffix}")
    assert caught.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == []


def write_store(path, content):
    with whole_folder(path) as folder:
        (folder / "zarr.json").write_text(content)


def test_ctrl_c_between_two_steps_leaves_the_old_store(tmp_path, monkeypatch):
    path, moves = tmp_path / "d.zarr", []
    write_store(path, "old")
    move = os.replace

    def replace(source, target):
        moves.append(target)
        if len(moves) == 2:  # the old one was put aside, and now the new one
            raise KeyboardInterrupt
        move(source, target)

    monkeypatch.setattr(whole.os, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        write_store(path, "new")
    assert len(moves) == 3
    assert (path / "zarr.json").read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def write_bytes(path, content):
    with whole_file(path) as file:
        file.write(content.encode())


def test_many_threads_may_write_one_file_and_one_store(tmp_path):
    def write(number):
        for _ in range(30):
            write_store(tmp_path / "d.zarr", str(number))
            write_bytes(tmp_path / "d.txt", 1000 * str(number))

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(write, range(6))) == [None] * 6
    assert {path.name for path in tmp_path.iterdir()} == {"d.txt", "d.zarr"}
    assert (tmp_path / "d.zarr" / "zarr.json").read_text() in "012345"
    written = (tmp_path / "d.txt").read_text()
    assert written == 1000 * written[0]


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".json", ".h5", ".nc", ".parquet", ".zarr"])
def test_a_disk_that_is_full_half_way_leaves_the_old_file(suffix, tmp_path):
    path = tmp_path / f"d{suffix}"
    SAMPLES.save(path)
    program = (
        "import resource, numpy as np, fangs\n"
        "draws = fangs.Samples(np.random.default_rng(1).integers(2, size=(900, 60, 9)))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "for _ in range(2):\n"
        f"    try:\n        draws.save({str(path)!r})\n"
        "    except OSError as error:\n        print(error.filename)\n"
        "print('alive')"  # HDF5 used to crash after it
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (f"{path}\n{path}\nalive\n", 0), done.stderr
    assert done.stderr == ""
    assert [left.name for left in tmp_path.iterdir()] == [path.name]
    assert len(fangs.read(path)) == 1


def test_an_interrupt_stays_one_where_a_library_fails_to_clean_up(tmp_path):
    def write():
        try:
            raise KeyboardInterrupt
        finally:
            raise ValueError("Can't close the ZIP file while there is an open writing handle on it")

    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "draws.npz"):
        write()
    assert list(tmp_path.iterdir()) == []
