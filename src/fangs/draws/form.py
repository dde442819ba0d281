"""Form: names and values in one of a few shapes, whatever file or library they come from.

A format knows bytes and nothing of draws; a form knows names and values and nothing of files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable

__all__ = ["Form", "NamedMatrix", "refuse_names"]


@dataclass(frozen=True, eq=False)
class NamedMatrix:
    """One matrix with the names of its rows and columns, where it has some."""

    values: Any
    """(n, K) array of any values, or `SparseColumns`."""
    items: tuple[str, ...] | None = None
    features: tuple[str, ...] = ()
    first_item: int = 1
    """What the source calls its first item, where it only counts them."""


class Form(Protocol):
    """What every form can say and give. `name` is what complaints call it."""

    def variables(self, request: Request) -> Sequence[Variable]:
        """What is in it: draws, nearly draws and other things, cheaply."""

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws of a variable; None is the only one, or the form itself.

        Of the request it minds ``dims`` (also for chains and weights) and ``items`` where these may
        be more than the source names; `open_draws` minds the rest.
        """

    def matrix(self, request: Request) -> NamedMatrix:
        """The one allocation that it holds, such as an estimate; refused where it holds draws."""
        raise ValueError("it holds draws, not one matrix: fangs.read(path)")


def refuse_names(what: str, variable: str | None, request: Request) -> None:
    """Refuse what a caller names where nothing has a name; `what` is the sentence that says so."""
    if variable is not None:
        raise TypeError(f"{what}; leave out {variable=}")
    if request.dims:
        raise TypeError(
            f"{what}, but dims={dict(request.dims)!r}; give labels and weights as lists, or "
            "weights as the name of a file"
        )
