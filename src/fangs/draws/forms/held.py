"""Samples that are packed already, as a form."""

from __future__ import annotations

from typing import Any

from fangs.draws.form import Form, refuse_names
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable

__all__ = ["HeldForm", "of"]


class HeldForm(Form):
    """Samples; nothing is left to find out."""

    def __init__(self, samples: Any, name: str) -> None:
        self._source: DrawSource = samples._source()
        self._samples, self._name = samples, name

    def variables(self, request: Request) -> list[Variable]:
        """The draws."""
        samples = self._samples
        return [self._source.describe("", "fangs samples", samples.n_items, samples.n_features)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws."""
        refuse_names(f"{self._name} is Samples already", variable, request)
        return self._source


of = HeldForm
