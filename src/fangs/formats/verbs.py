"""What users call: read, convert and inspect draws, and read one matrix."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from fangs.check.arguments import as_allocation
from fangs.draws.form import NamedMatrix
from fangs.draws.labels import first_number, matched_order
from fangs.draws.open import is_path, open_form
from fangs.draws.request import Request
from fangs.draws.samples import Samples
from fangs.draws.variables import Inspection
from fangs.formats.overwriting import check_not_read
from fangs.formats.registry import check_samples_target, open_file, write_samples

__all__ = ["convert", "inspect", "read", "read_matrix", "read_values"]


def read(path: Any, **request: Any) -> Samples:
    """Read draws from a file, a folder or a list of files; the same as ``Samples(path, ...)``.

    Parameters
    ----------
    path
        The file; its suffix says what kind it is. A list of files is read as one chain each, or as
        one draw each where every file holds a single matrix; a folder is a list of its files.
    request
        ``variable``, ``dims``, ``items``, ``chains``, ``weights``, ``burn_in``, ``thin`` and
        ``keep_chains``, as for `Samples`. In files from R and MATLAB, ``variable`` may be a place
        in the syntax of that language, such as ``"post[[1]][[]]$Z"`` or ``"chain.Z"``.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "draws.npz")
    ...     np.savez(path, np.eye(3), np.ones((3, 1)), items=["a", "b", "c"])
    ...     read(path), read([path, path]).chains
    (Samples(2 draws, 3 items, 1 to 3 features), array([0, 0, 1, 1]))
    """
    paths = [path] if is_path(path) else path
    if not isinstance(paths, Sequence) or not all(map(is_path, paths)):
        raise TypeError(
            f"path is of type {type(path).__name__}; give a file or a list of files. Draws "
            "that are no file go into fangs.Samples(draws), or into fangs.estimate(draws)"
        )
    return Samples(path, **request)


def convert(source: Any, target: str | os.PathLike[str], **request: Any) -> None:
    """Write draws in another form, whole or not at all.

    Parameters
    ----------
    source
        Anything that `Samples` accepts, such as a file.
    target
        The file to write; its suffix says the form. It must not be one of the files to read.
    request
        As for `Samples`.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "draws.csv")
    ...     convert([np.eye(2), np.ones((2, 1))], path)
    ...     print(path.read_text())
    draw,item,feature
    1,1,1
    1,2,2
    2,1,1
    2,2,1
    <BLANKLINE>
    """
    check_samples_target(target)
    check_not_read(target, source, request.get("weights"))
    write_samples(Samples(source, **request), target)


def inspect(source: Any, *, variable: str | None = None, dims: Any = None) -> Inspection:
    """Say what an object or a file holds that could be read as draws, and how to read it.

    Parameters
    ----------
    source
        Anything that `Samples` accepts, such as a file.
    variable
        The only variable to say something about; None says it of all.
    dims
        As for `Samples`.

    Returns
    -------
    Inspection
        Prints as a table; ``.rows`` has a `Variable` for each line.

    Examples
    --------
    >>> import numpy as np
    >>> found = inspect({"Z": np.ones((40, 5, 3)), "sigma": np.ones(40)})
    >>> [(row.name, row.n_draws, row.n_items, row.n_features) for row in found.rows]
    [('Z', 40, 5, (3, 3)), ('sigma', None, None, None)]
    """
    request, note = Request.of(dims=dims), ""
    with open_form(source) as form:
        rows = [row for row in form.variables(request) if variable in (None, row.name)]
    rows.sort(key=lambda row: not row.holds_draws)
    draws = [row for row in rows if row.holds_draws]
    if len(draws) == 1 and draws[0].n_entries <= _FEW and not isinstance(source, Iterator):
        note = Samples(source, variable=draws[0].name or None, dims=dims).note
    is_file = is_path(source)
    name = str(source) if is_file else type(source).__name__
    return Inspection(name, tuple(rows), is_file, note)


_FEW = 2**22
"""Entries of draws up to which `inspect` looks at all of them."""


def read_matrix(path: str | os.PathLike[str], *, items: Sequence[str] | None = None) -> NamedMatrix:
    r"""Read one matrix, items in rows.

    Parameters
    ----------
    path
        A file of any kind that `Estimate.save` writes, or an .npy file.
    items
        The items in the order that is wanted; rows that have names are put into it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.csv")
    ...     _ = path.write_text("item,1,2\nann,1,0\nbob,1,1\n")
    ...     read_matrix(path, items=["bob", "ann"]).values
    array([[1, 1],
           [1, 0]], dtype=uint8)
    """
    with open_file(path, what="matrix") as form:
        found = form.matrix(Request())
        found = replace(found, values=as_allocation(found.values, name=repr(str(path))))
    if found.items is None:
        return found
    first = first_number(found.items)
    if first is not None and set(items or ()) != set(found.items):  # rows that are only numbered
        return replace(found, items=None, first_item=first)
    if items is None or found.items == tuple(items):
        return found
    order = matched_order(found.items, items, name=repr(str(path)), other="the draws")
    return replace(found, values=found.values[order], items=tuple(items))


def read_values(path: str | os.PathLike[str], *, variable: str) -> list[npt.NDArray[Any]]:
    """Read other arrays of a file from R or MATLAB, such as parameters of the features.

    Parameters
    ----------
    path
        The file.
    variable
        The place of the values, in the syntax of the language; ``@`` leads to an attribute, as in
        ``"samples[[]]@parameters"``.

    Returns
    -------
    list of arrays
        One for each value at that place, in the order of the file. Missing values are NaN.
    """
    with open_file(path, what="values") as form:
        values = getattr(form, "values", None)
        if values is None:
            raise ValueError("it is not from R or MATLAB; read it with the library that wrote it")
        found: list[npt.NDArray[Any]] = values(variable)
        return found
