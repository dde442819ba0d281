"""From anything that holds draws to a `DrawSource`: the list of forms, and files by their format.

A new library of objects is one line in `FORMS` and the form that it names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module
from typing import Any

from fangs.check.arguments import holds_draws
from fangs.draws.form import Form
from fangs.draws.request import Request
from fangs.draws.source import DrawSource, joined

__all__ = ["FORMS", "form_of", "is_path", "library", "open_draws", "open_form"]


def library(value: Any) -> str:
    """The known package that an object's class, or a class above it, comes from; else ""."""
    for kind in type(value).__mro__:
        root = kind.__module__.partition(".")[0]
        if root in _LIBRARIES:
            return root
    return ""


_LIBRARIES = {"arviz", "arviz_base", "pandas", "polars", "pyarrow", "scipy", "sparse", "xarray"}


def is_path(value: Any) -> bool:
    """Whether something names a file."""
    return isinstance(value, str | os.PathLike)


def is_collection(value: Any) -> bool:
    """Whether something can be gone through, and is no text."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def _is_samples(value: Any) -> bool:
    return hasattr(value, "_draws") and hasattr(value, "fingerprint")


def is_estimate(value: Any) -> bool:
    """Whether something is an `Estimate`."""
    return hasattr(value, "matrix") and hasattr(value, "expected_loss")


def _is_array(value: Any) -> bool:
    from fangs.draws.forms.stack import is_array

    return is_array(value)


FORMS: list[tuple[Callable[[Any], bool], str]] = [
    (_is_samples, "held"),
    (lambda value: library(value) in ("arviz", "arviz_base", "xarray"), "labelled"),
    (lambda value: library(value) in ("pandas", "polars", "pyarrow"), "table"),
    (_is_array, "stack"),  # one of SciPy's is a mapping, too
    (lambda value: isinstance(value, Mapping), "entries"),
    (is_collection, "list"),
]
"""How each kind of object is recognised, and the module of `draws.forms` whose ``of`` makes its
form; the first that fits counts."""


def form_of(value: Any, *, name: str = "draws") -> Form:
    """The form of an object in memory."""
    if is_estimate(value):
        raise TypeError(
            f"{name} is an Estimate, where the posterior draws are wanted; give the draws. "
            "Calls with both take the estimate first, as fangs.assess(estimate, draws): swap them"
        )
    if not (_is_samples(value) or _is_array(value)) and (remedy := holds_draws(value)):
        raise TypeError(f"{name} is {remedy}")
    for recognises, module in FORMS:
        if recognises(value):
            form: Form = import_module(f"fangs.draws.forms.{module}").of(value, name)
            return form
    raise TypeError(
        f"{name} is of type {type(value).__name__}; give a list of (n, K) matrices of 0 and 1, or "
        "a (B, n, K) array"
    )


@contextmanager
def open_form(given: Any, *, name: str = "draws") -> Iterator[Form]:
    """The form of an object, or of a file that stays open until the block ends."""
    if is_path(given):
        from fangs.formats.registry import open_file

        with open_file(given) as form:
            yield form
        return
    form = form_of(given, name=name)
    with form if isinstance(form, AbstractContextManager) else nullcontext():
        yield form


@contextmanager
def open_draws(
    given: Any, request: Request | None = None, *, name: str = "draws"
) -> Iterator[DrawSource]:
    """The draws that a request asks for, of an object or a file, until the block ends.

    Examples
    --------
    >>> with open_draws([[[1], [0]], [[1], [1]]], Request.of(burn_in=1)) as source:
    ...     print(source.n_draws, next(source.all()))
    1 [[1], [1]]
    """
    request = Request() if request is None else request
    if is_path(request.weights):
        from fangs.formats.weights import read_weights

        request = replace(request, weights=read_weights(request.weights))
    with open_form(given, name=name) as form:
        variable = request.variable
        if isinstance(variable, tuple):  # several variables are chains
            parts = [form.draws(one, replace(request, variable=one)) for one in variable]
            names = [f"{name}.{one}" for one in variable]
            source = joined(parts, names, variable, request.items)
        else:
            source = form.draws(variable, request)
        yield source.chosen(request)
