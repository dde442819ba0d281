"""A row: what is given, with which options, and the draws or the refusal that it must give."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fangs
from conformance import labelled, lists, stacks, tables
from conformance.contents import CONTENTS, Content, Form
from conformance.writers import WRITERS, write

FORMS: dict[str, Form] = labelled.FORMS | tables.FORMS | stacks.FORMS | lists.FORMS


@dataclass(frozen=True)
class Row:
    """One demand."""

    id: str
    make: Callable[[Path], Any]
    """Of an empty folder; gives an object, or what was written."""
    wanted: fangs.Samples
    read: Callable[..., fangs.Samples] = fangs.Samples
    options: Mapping[str, Any] = field(default_factory=dict)
    refusal: tuple[str, ...] = ()
    or_content: bool = False

    def given(self, folder: Path) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self.make(folder)
        except Exception as error:
            raise RuntimeError(f"{self.id} could not be made: {error!r}") from error

    def demand(self, folder: Path) -> None:
        given = self.given(folder)
        try:
            found = self.read(given, **self.options)
        except (TypeError, ValueError) as error:
            if not self.refusal:
                raise
            message = str(error)
        else:
            assert self.or_content or not self.refusal, f"it was read as {found}"
            same(found, self.wanted)
            return
        assert "unexpected keyword" not in message
        for word in self.refusal:
            assert re.search(word, message), f"{word!r} is not in: {message}"


def same(found: fangs.Samples, wanted: fangs.Samples) -> None:
    """Whether these are the same draws; weights as shares of all."""
    assert [draw.tolist() for draw in found] == [draw.tolist() for draw in wanted]
    assert found.items == wanted.items
    assert as_list(found.chains) == as_list(wanted.chains)
    assert shares(found) == pytest.approx(shares(wanted), abs=1e-9)
    if as_list(found.weights) == as_list(wanted.weights):
        assert found == wanted


def as_list(labels: np.ndarray | None) -> list[Any] | None:
    return None if labels is None else labels.tolist()


def shares(samples: fangs.Samples) -> np.ndarray:
    return np.array([]) if samples.weights is None else samples.weights / samples.weights.sum()


def row(about: str, form: Form, content: Content, **parts: Any) -> Row:
    wanted = (form.wanted or content).samples(form.holds)
    return Row(about, wanted=wanted, options=form.options, refusal=form.refusal,
               or_content=form.or_content, **parts)  # fmt: skip


def contents_of(form: Form) -> list[tuple[str, Content]]:
    """Those that differ in something that the form holds."""
    return [(name, CONTENTS[name]) for name in form.contents if CONTENTS[name].about in form.holds]


def writers_of(form: Form) -> list[str]:
    """All for an ordinary form, two for a wrinkle; and all for gaps, which are of the file."""
    writers = list(WRITERS.get(form.kind, {}))
    return writers if form.is_ordinary or form.kind == "gaps" else writers[:2]


def made(form: Form, writer: str, content: Content) -> Callable[[Path], Any]:
    """Makes the object, or writes it."""
    if not writer:
        return lambda _: form.make(content)
    return lambda folder: write(form.kind, writer, form.make(content), folder)


def object_rows() -> list[Row]:
    return [
        row(f"{name}; {about}", form, content, make=made(form, "", content))
        for name, form in FORMS.items()
        if form.is_object
        for about, content in contents_of(form)
    ]


def file_rows() -> list[Row]:
    """Plain draws through all writers, other contents through the first two."""
    return [
        row(f"{name} as {writer}; {about}", form, content, make=made(form, writer, content),
            read=fangs.read)
        for name, form in FORMS.items()
        for at, writer in enumerate(writers_of(form))
        for about, content in contents_of(form)[: 1 if at > 1 else None]
    ]  # fmt: skip


def demanded(rows: Iterable[Row]) -> Any:
    """Parametrize a test over rows."""
    return pytest.mark.parametrize("row", [pytest.param(one, id=one.id) for one in rows])
