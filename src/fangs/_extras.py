"""Imports optional dependencies where they are used, or names the extra that brings them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MissingExtraError", "frame", "require"]


class MissingExtraError(ImportError):
    """An optional dependency is not installed; the message names the extra that brings it."""


def require(module: str, *, extra: str) -> Any:
    """Import ``module``, which the extra ``fangs[extra]`` installs.

    Parameters
    ----------
    module
        Name of the module to import.
    extra
        The extra of fangs that installs it.

    Returns
    -------
    module
        The imported module.

    Raises
    ------
    MissingExtraError
        If it is not installed.

    Examples
    --------
    >>> require("json", extra="all").dumps([1, 2])
    '[1, 2]'
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        # An installed package that lacks something of its own is a different problem.
        if (error.name or "").partition(".")[0] != package:
            raise
        # In a notebook %pip installs for its own kernel; a shell might know another Python.
        pip = "%pip" if "ipykernel" in sys.modules else "pip"
        raise MissingExtraError(
            f"this needs {package}, which is not installed: {pip} install 'fangs[{extra}]', or "
            f"{pip} install {package} alone",
            name=package,
        ) from error


def frame(columns: Mapping[str, Any], *, index: Sequence[Any], name: str) -> pd.DataFrame:
    """A pandas DataFrame with a named index, one row per entry of it; needs pandas.

    Examples
    --------
    >>> frame({"size": [3, 2]}, index=[1, 2], name="feature")["size"].sum()
    np.int64(5)
    """
    pandas = require("pandas", extra="all")
    made: pd.DataFrame = pandas.DataFrame(dict(columns), index=frame_index(index, name=name))
    return made


def frame_index(labels: Iterable[Any], *, name: str) -> Any:
    """A pandas Index of labels, each as it is; needs pandas.

    Examples
    --------
    >>> list(frame_index(["ann", "bob"], name="item"))
    ['ann', 'bob']
    """
    pandas = require("pandas", extra="all")
    given = list(labels)
    try:
        return pandas.Index(given, name=name, tupleize_cols=False)
    except UnicodeEncodeError:  # the text of pandas has no half characters
        return pandas.Index(given, name=name, tupleize_cols=False, dtype=object)
