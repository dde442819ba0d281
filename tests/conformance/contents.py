"""Draws of known content, the forms that hold them, and how a form is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import fangs
from support.objects import DRAWS, ITEMS, make_draws, padded


@dataclass(frozen=True)
class Content:
    """Six draws in two chains; the fourth has no feature."""

    draws: tuple[np.ndarray, ...] = tuple(DRAWS)
    items: tuple[Any, ...] = ITEMS
    chains: tuple[Any, ...] = (0, 0, 0, 1, 1, 1)
    weights: tuple[float, ...] | None = None
    about: str = ""
    """What a form must hold for this content to differ from the plain one."""

    def padded(self, fill: float = 0, dtype: Any = np.int8) -> np.ndarray:
        """(B, n, K), with what stands for absent features."""
        return padded(self.draws, fill, dtype)

    def by_chain(self, fill: float = 0, dtype: Any = np.int8) -> np.ndarray:
        """(chain, draw, n, K)."""
        return self.padded(fill, dtype).reshape(2, 3, len(self.items), -1)

    def of_chain(self, chain: int) -> Content:
        """The draws of one chain."""
        here = slice(3 * chain, 3 * chain + 3)
        return replace(self, draws=self.draws[here], chains=self.chains[here])

    def samples(self, holds: str) -> fangs.Samples:
        """The plain list of matrices, with those labels that a form holds."""
        counts = any(self.items == tuple(range(s, s + len(self.items))) for s in (0, 1))
        chains = self.chains if "chains" in holds else PLAIN.chains
        return fangs.Samples(
            list(self.draws),
            items=list(map(str, self.items)) if "items" in holds and not counts else None,
            chains=list(chains) if "chains" in holds or "numbered" in holds else None,
            weights=list(self.weights) if self.weights and "weights" in holds else None,
        )


PLAIN = Content()
CONTENTS = {
    "plain": PLAIN,
    "one feature": Content(draws=tuple(make_draws((1,) * 6))),
    "one item": Content(draws=tuple(make_draws(n_items=1)), items=("ann",)),
    "decimal weights": Content(weights=(0.1, 0.25, 0.05, 0.3, 0.2, 0.1), about="weights"),
    "chains of text": Content(chains=("warm",) * 3 + ("cold",) * 3, about="chains"),
    "chains 3 and 7": Content(chains=(3, 3, 3, 7, 7, 7), about="chains"),
    "items 7 to 2003": Content(items=(7, 1001, 1005, 2003), about="items"),
    "items from 0": Content(items=(0, 1, 2, 3), about="items"),
    "items from 1": Content(items=(1, 2, 3, 4), about="items"),
}
EVERY = tuple(CONTENTS)
NAMED, SOME, SHAPES, WEIGHTED = EVERY[:7], EVERY[:5], EVERY[:3], EVERY[3:4]
LABELS = "items chains weights"


@dataclass(frozen=True)
class Form:
    """Draws as a program has them."""

    kind: str
    """Whose writers write it; empty for an object that nobody writes."""
    make: Callable[[Content], Any]
    holds: str = ""
    """Of items, chains, numbered chains, weights."""
    contents: tuple[str, ...] = ("plain",)
    options: Mapping[str, Any] = field(default_factory=dict)
    wanted: Content | None = None
    """None for the content itself."""
    refusal: tuple[str, ...] = ()
    """What the refusal names (names, values, the remedy's call), where it is to be refused."""
    or_content: bool = False
    """Whether reading the draws is as right as that refusal; other draws never are."""
    is_object: bool = True
    """Whether it is one that `Samples` reads, not only what a writer takes."""

    @property
    def is_ordinary(self) -> bool:
        """Without a wrinkle: it goes through all writers of its kind, others through two."""
        return len(self.contents) >= len(SHAPES)


def refused(form: Form, *words: str, or_content: bool = False) -> Form:
    """The same without its options."""
    return replace(form, options={}, refusal=words, or_content=or_content)
