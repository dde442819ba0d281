"""NumPy's .npz archives: our own, and those of named arrays from elsewhere."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from fangs.draws.form import Form
from fangs.draws.forms.entries import EntriesForm, Other
from fangs.formats.format import Format
from fangs.formats.guard import Budget
from fangs.formats.npy import StoredArray
from fangs.formats.npz_fangs import archive_form, write_estimate, write_samples

__all__ = ["FORMAT"]


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with zipfile.ZipFile(path) as file:
        arrays = [info for info in file.infolist() if info.filename.endswith(".npy")]
        Budget(path).spend(sum(info.file_size for info in arrays))
        entries = {info.filename.removesuffix(".npy"): _entry(file, info) for info in arrays}
        if len(entries) < len(arrays):
            raise ValueError("it has two arrays of the same name")
        yield archive_form(entries) or EntriesForm(entries, "draws")


def _entry(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> StoredArray | Other:
    """An array that is read when asked for; or why not, which matters only if it is wanted."""
    name = f"array {info.filename.removesuffix('.npy')!r}"
    try:
        return StoredArray(partial(file.open, info), info.file_size, name)
    except ValueError as error:
        return Other(str(error))


FORMAT = Format(
    open=_open, is_divisible=True, write_samples=write_samples, write_estimate=write_estimate
)
