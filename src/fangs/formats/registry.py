"""The kinds of files that fangs reads and writes, by suffix. A new kind is a module and a line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fangs.check.text import join_words
from fangs.draws.form import Form
from fangs.formats.format import Format
from fangs.formats.guard import check_content, file_errors
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
    """The longest known suffix of a name, in lower case; else its last one.

    Examples
    --------
    >>> suffix_of(Path("draws.CSV.gz")), suffix_of(Path("v1.2.npz")), suffix_of(Path("x.doc"))
    ('.csv.gz', '.npz', '.doc')
    """
    name = path.name.lower()
    known = [suffix for suffix in _suffixes() if name.endswith(suffix)]
    return max(known, key=len, default=path.suffix.lower())


def format_of(path: Path) -> Format:
    """The format that a name says; refused if there is none."""
    suffix = suffix_of(path)
    for suffixes, module in FORMATS.items():
        if suffix in suffixes:
            found: Format = import_module(f"fangs.formats.{module}").FORMAT
            return found
    raise ValueError(
        f"{str(path)!r} is of a kind that fangs does not read; give {join_words(_suffixes(), 'or')}"
    )


def is_list_of_files(path: Path) -> bool:
    """Whether something is a folder, and not a store that is one in truth."""
    return path.is_dir() and not (suffix_of(path) in _suffixes() and format_of(path).is_folder)


@contextmanager
def open_file(path: str | os.PathLike[str], *, what: str = "draws") -> Iterator[Form]:
    """The form of what a file holds, until the block ends; every complaint names the file.

    A folder that is no store is a list of the files in it.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    with file_errors(path, what):
        if is_list_of_files(path):
            from fangs.draws.forms.list import ListForm

            opened: AbstractContextManager[Form] = ListForm.of_folder(path)
        else:
            check_content(path, suffix_of(path))
            opened = format_of(path).open(path)
        with opened as form:
            yield form


def write_samples(samples: Samples, path: str | os.PathLike[str]) -> None:
    """Write draws in the form that the suffix of ``path`` names, whole or not at all."""
    _writer(path, "write_samples")(samples, Path(path))


def write_estimate(estimate: Estimate, path: str | os.PathLike[str]) -> None:
    """Write an estimate in the form that the suffix of ``path`` names, whole or not at all.

    ``.npz`` keeps everything, for `fangs.load`; ``.json`` all but the loss of each draw; ``.nc``
    and ``.zarr`` matrix, proportions and losses; tables the matrix.
    """
    _writer(path, "write_estimate")(estimate, Path(path))


def check_samples_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no draws could be written to, before any long work for it."""
    _writer(path, "write_samples")


def check_estimate_target(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no estimate could be written to, before any long work for it.

    Examples
    --------
    >>> check_estimate_target("estimate.docx")
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .npz, ...
    """
    _writer(path, "write_estimate")


def _writer(path: Any, name: str) -> Callable[[Any, Path], None]:
    """What writes such a file; the path is checked."""

    def writer_of(suffix: str) -> Any:
        return getattr(format_of(Path(f"x{suffix}")), name)

    suffix = suffix_of(Path(path)) if isinstance(path, str | os.PathLike) else ""
    if suffix not in _suffixes() or writer_of(suffix) is None:
        check_writable(path, suffixes=list(filter(writer_of, _suffixes())))
    check_writable(path, suffixes=[suffix], is_folder=format_of(Path(path)).is_folder)
    writer: Callable[[Any, Path], None] = writer_of(suffix)
    return writer


def _suffixes() -> list[str]:
    return [suffix for suffixes in FORMATS for suffix in suffixes]
