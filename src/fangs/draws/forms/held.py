"""Samples that are packed already, as a form."""

from __future__ import annotations

from typing import Any

from fangs.draws.form import NamedMatrix
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable

__all__ = ["HeldForm", "of"]


def of(value: Any, name: str) -> HeldForm:
    """The form of such an object."""
    return HeldForm(value, name)


class HeldForm:
    """Samples; nothing is left to find out."""

    def __init__(self, samples: Any, name: str) -> None:
        self._samples, self._name = samples, name

    def variables(self, request: Request) -> list[Variable]:
        """The draws."""
        samples = self._samples
        sizes = (int(samples.n_features.min()), int(samples.n_features.max()))
        chains = None if samples.chains is None else len(samples.info.chain_names)
        shape = (len(samples), samples.n_items, sizes, chains, samples.items)
        n_bare = len(samples.bare_items)
        what = f"fangs samples ({n_bare} items without a feature)" if n_bare else "fangs samples"
        return [Variable("", what, *shape)]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws."""
        if variable is not None or request.dims:
            raise TypeError(f"{self._name} is Samples already; leave out variable and dims")
        source: DrawSource = self._samples._source()
        return source

    def matrix(self, request: Request) -> NamedMatrix:
        """Refused: draws are many."""
        raise TypeError(
            f"{self._name} is Samples, where one matrix is wanted; give one draw, such as "
            "draws[0]. Calls with a matrix and all draws take the matrix first, as "
            "fangs.expected_loss(estimate, draws): swap them"
        )
