"""Files are written whole or not at all, and refused before any work."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time

import pytest

import fangs
from fangs.formats import whole
from fangs.formats.registry import check_samples_target
from fangs.formats.whole import whole_file, whole_folder

SAMPLES = fangs.Samples([[[1, 0], [1, 1]]])


def refused(path, reason):
    """Both the check and the writing refuse it."""
    with pytest.raises(ValueError, match=reason) as caught:
        check_samples_target(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("cannot write ")
    with pytest.raises(ValueError, match=reason):
        SAMPLES.save(path)


def test_pipes_and_devices_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    refused(tmp_path / "pipe.npz", "a device or a pipe")
    (tmp_path / "null.npz").symlink_to("/dev/null")
    refused(tmp_path / "null.npz", "a device or a pipe")


def test_links_to_themselves_are_refused(tmp_path):
    (tmp_path / "a.npz").symlink_to("b.npz")
    (tmp_path / "b.npz").symlink_to("a.npz")
    refused(tmp_path / "a.npz", "link|symlink|Symlink|Too many levels")


def test_names_that_are_too_long_are_refused(tmp_path):
    refused(tmp_path / ("x" * 252 + ".npz"), "name")
    refused(tmp_path / "/".join(["x" * 200] * 30) / "d.npz", "name|no directory")
    path = tmp_path / ("x" * 251 + ".npz")  # the longest one is fine
    SAMPLES.save(path)
    assert len(fangs.read(path)) == 1


def test_read_only_files_and_folders_are_refused(tmp_path):
    path = tmp_path / "d.npz"
    SAMPLES.save(path)
    path.chmod(0o444)
    refused(path, "read-only")
    (tmp_path / "dir.zarr").mkdir()
    (tmp_path / "dir.zarr" / "thesis.tex").write_text("years of work")
    refused(tmp_path / "dir.zarr", "other files")
    (tmp_path / "file.zarr").write_text("")
    refused(tmp_path / "file.zarr", "it is a file")
    refused("nul\0.npz", "null")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    with whole_file(tmp_path / "link.json") as file:
        file.write(b"new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"


def test_permissions_stay(tmp_path):
    path = tmp_path / "d.npz"
    SAMPLES.save(path)
    path.chmod(0o640)
    SAMPLES.save(path)
    assert path.stat().st_mode & 0o777 == 0o640


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


def test_a_failed_store_leaves_the_old_one(tmp_path):
    SAMPLES.save(tmp_path / "d.zarr")

    def fail_half_way():
        with whole_folder(tmp_path / "d.zarr") as folder:
            (folder / "half").write_text("")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_half_way()
    assert len(fangs.read(tmp_path / "d.zarr")) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["d.zarr"]


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


def test_many_threads_may_write_one_store(tmp_path):
    errors = []

    def write(number):
        try:
            for _ in range(30):
                write_store(tmp_path / "d.zarr", str(number))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [path.name for path in tmp_path.iterdir()] == ["d.zarr"]
    assert (tmp_path / "d.zarr" / "zarr.json").read_text() in "012345"


def test_many_threads_may_write_one_file(tmp_path):
    path, errors = tmp_path / "d.txt", []

    def write(number):
        try:
            for _ in range(20):
                with whole_file(path) as file:
                    file.write(b"%d" % number * 1000)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(set(path.read_text())) == 1
    assert len(path.read_text()) == 1000
    assert list(tmp_path.iterdir()) == [path]


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
