"""What a file holds, variable by variable, and the call that reads each."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Variable", "command"]


@dataclass(frozen=True)
class Variable:
    """Something in a file that holds draws, nearly so, or not at all.

    A reader of files describes them with a function from the path to a list of these, and a line in
    `fangs.io.registry.DESCRIBERS`.

    Examples
    --------
    >>> print(Variable("Z", "array[draw, item, feature]", 100, 20, (2, 8)))
    Z: 100 draws, 20 items, 2 to 8 features
    >>> print(Variable("X", "a 20 x 5 matrix"))
    X: a 20 x 5 matrix
    """

    name: str
    """What to give as ``variable=``."""
    what: str
    """The layout, such as a list over draws; or what is there in the place of draws."""
    n_draws: int | None = None
    n_items: int | None = None
    n_features: tuple[int, int] | None = None
    """Fewest and most features of a draw, empty ones not counted."""
    n_chains: int | None = None
    """None if the file does not say which draws belong to which chain."""
    items: tuple[str, ...] | None = None
    """Labels of the items."""
    command: str | None = None
    """The call of `fangs.read` that reads the draws."""
    problem: str | None = None
    """Why these are no draws, though they are close to it; what to do."""

    @property
    def holds_draws(self) -> bool:
        """Whether `fangs.read` reads it."""
        return self.n_draws is not None

    @property
    def size(self) -> str:
        """Numbers of draws, items, features and chains in words; else what is there."""
        if self.n_draws is None or self.n_features is None:
            return self.problem or self.what
        low, high = self.n_features
        features = f"{low}" if low == high else f"{low} to {high}"
        chains = "" if self.n_chains is None else f", {self.n_chains} chains"
        draws = "1 draw" if self.n_draws == 1 else f"{self.n_draws} draws"
        return f"{draws}, {self.n_items} items, {features} features{chains}"

    def __str__(self) -> str:
        return f"{self.name}: {self.size}"


def command(path: str, variable: str | None = None) -> str:
    """The call that reads a variable of a file.

    Examples
    --------
    >>> command("draws.rds", "post[[]]$Z")
    "fangs.read('draws.rds', variable='post[[]]$Z')"
    """
    chosen = "" if variable is None else f", variable={variable!r}"
    return f"fangs.read({path!r}{chosen})"
