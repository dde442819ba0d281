"""The kinds of files that fangs reads and writes, by suffix. A new kind is a module and a line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fangs.check.text import join_words
from fangs.draws.form import Form
from fangs.formats.format import Format
from fangs.formats.guard import naming, sniff
from fangs.formats.whole import check_writable

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = [
    "FORMATS",
    "check_estimate_target",
    "check_samples_target",
    "format_of",
    "is_list_of_files",
    "open_file",
    "write_estimate",
    "write_samples",
]

FORMATS: Mapping[tuple[str, ...], str] = {
    (".npz",): "npz",
    (".npy",): "npy",
    (".csv", ".tsv", ".csv.gz", ".tsv.gz"): "csv",
    (".parquet", ".pq"): "parquet",
    (".feather", ".arrow"): "feather",
    (".json", ".json.gz"): "json",
    (".nc", ".nc4"): "netcdf",
    (".zarr",): "zarr",
    (".h5", ".hdf5"): "hdf5",
    (".rds", ".rdata", ".rda"): "r",
    (".mat",): "matlab",
    (".txt",): "text",
}
"""Suffixes, and the module here whose ``FORMAT`` reads and writes such files."""


def suffix_of(path: Path) -> str:
    """The longest known suffix of a name, in lower case; else its own.

    Examples
    --------
    >>> suffix_of(Path("draws.CSV.gz")), suffix_of(Path("v1.2.npz")), suffix_of(Path("x.doc"))
    ('.csv.gz', '.npz', '.doc')
    """
    name = path.name.lower()
    known = [suffix for suffixes in FORMATS for suffix in suffixes if name.endswith(suffix)]
    return max(known, key=len, default=path.suffix.lower())


def format_of(path: Path) -> Format:
    """The format that a name says; refused if there is none."""
    for module in _modules(suffix_of(path)):
        return _format(module)
    known = join_words([suffix for suffixes in FORMATS for suffix in suffixes], "or")
    raise ValueError(f"{str(path)!r} is of a kind that fangs does not read; give {known}")


def is_list_of_files(path: Path) -> bool:
    """Whether something is a folder, and not a store that is one in truth."""
    return path.is_dir() and not (_modules(suffix_of(path)) and format_of(path).is_folder)


@contextmanager
def open_file(path: str | os.PathLike[str], *, what: str = "draws") -> Iterator[Form]:
    """The form of what a file holds, until the block ends; every complaint names the file.

    A folder that is no store is a list of the files in it.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    with naming(path, what):
        if is_list_of_files(path):
            from fangs.draws.forms.list import ListForm

            with ListForm.of_folder(path) as form:
                yield form
            return
        sniff(path, suffix_of(path))
        with format_of(path).open(path) as form:
            yield form


def write_samples(samples: Samples, path: str | os.PathLike[str]) -> None:
    """Write draws in the form that the suffix of ``path`` names, whole or not at all."""
    check_samples_target(path)
    write = format_of(Path(path)).write_samples
    assert write is not None
    write(samples, Path(path))


def write_estimate(estimate: Estimate, path: str | os.PathLike[str]) -> None:
    """Write an estimate in the form that the suffix of ``path`` names, whole or not at all.

    ``.npz`` keeps everything, for `fangs.load`; ``.json`` all but the loss of each draw; ``.nc``
    and ``.zarr`` matrix, proportions and losses; tables the matrix.
    """
    check_estimate_target(path)
    write = format_of(Path(path)).write_estimate
    assert write is not None
    write(estimate, Path(path))


def check_samples_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no draws could be written to, before any long work for it."""
    _check_target(path, "write_samples")


def check_estimate_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no estimate could be written to, before any long work for it.

    Examples
    --------
    >>> check_estimate_target("estimate.docx")
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .npz, ...
    """
    _check_target(path, "write_estimate")


def _check_target(path: Any, writer: str) -> None:
    suffix = suffix_of(Path(path)) if isinstance(path, str | os.PathLike) else ""
    known = [suffix]
    if not _writes(suffix, writer):
        known = [each for suffixes in FORMATS for each in suffixes if _writes(each, writer)]
    folders = [each for each in known if _format(*_modules(each)).is_folder]
    check_writable(path, suffixes=known, folders=folders)


def _writes(suffix: str, writer: str) -> bool:
    return any(getattr(_format(module), writer) is not None for module in _modules(suffix))


def _modules(suffix: str) -> list[str]:
    """The module of a suffix, if there is one."""
    return [module for suffixes, module in FORMATS.items() if suffix in suffixes]


def _format(module: str) -> Format:
    found = import_module(f"fangs.formats.{module}").FORMAT
    assert isinstance(found, Format)
    return found
