"""NumPy's .npz archives: our own, and those of named arrays from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fangs.draws.form import Form
from fangs.draws.forms.entries import EntriesForm, Other
from fangs.formats.archive import kind_of
from fangs.formats.format import Format
from fangs.formats.npz_fangs import archive_form, write_estimate, write_samples
from fangs.formats.zip_arrays import ZipArrays

__all__ = ["FORMAT"]


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with ZipArrays(path) as file:
        kind = kind_of(file)
        if kind is not None:
            yield archive_form(file, kind)
        else:
            yield EntriesForm({name: _entry(file, name) for name in file.names}, "draws")


def _entry(file: ZipArrays, name: str) -> Any:
    """An array that is read when asked for; or why not, which matters only if it is wanted."""
    try:
        return file.stored(name)
    except ValueError as error:
        return Other(str(error))


FORMAT = Format(
    open=_open, is_divisible=True, write_samples=write_samples, write_estimate=write_estimate
)
