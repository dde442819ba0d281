"""Variables: what an object or a file holds, and the one rule for which of them are the draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fangs.check.text import visible
from fangs.draws.roles import names_no_draws

__all__ = ["Inspection", "Variable", "choose"]


@dataclass(frozen=True)
class Variable:
    """Something in an object or a file: draws, nearly draws, or something else.

    Attributes
    ----------
    name
        Its name, for ``variable=``; empty where there is no name.
    what
        Its form, in words.
    n_draws, n_items
        Numbers of draws and items; None where these are no draws.
    n_features
        Fewest and most columns of a draw.
    chains
        Number of chains, None where nothing tells.
    items
        Labels of the items, where there are some.
    problem
        Why these are no draws, though they are close to it, and what to do.

    Examples
    --------
    >>> print(Variable("Z", "array[draw, item, feature]", 100, 20, (2, 8)))
    Z: 100 draws, 20 items, 2 to 8 features
    >>> print(Variable("X", "a 20 x 5 matrix"))
    X: a 20 x 5 matrix
    """

    name: str
    what: str
    n_draws: int | None = None
    n_items: int | None = None
    n_features: tuple[int, int] | None = None
    chains: int | None = None
    items: tuple[str, ...] | None = None
    problem: str | None = None

    @property
    def holds_draws(self) -> bool:
        """Whether `fangs.read` reads it."""
        return self.n_draws is not None and self.problem is None

    @property
    def size(self) -> str:
        """Numbers of draws, items, features and chains in words; else what is there."""
        if self.n_draws is None or self.n_features is None:
            return self.problem or self.what
        chains = "" if self.chains is None else f", {self.chains} chains"
        draws = "1 draw" if self.n_draws == 1 else f"{self.n_draws} draws"
        return f"{draws}, {self.n_items} items, {self._widths} features{chains}"

    @property
    def n_entries(self) -> int:
        """Entries of all draws together, at most."""
        return (self.n_draws or 0) * (self.n_items or 0) * max(self.n_features or (0,))

    @property
    def _widths(self) -> str:
        low, high = self.n_features or ("?", "?")
        return f"{low}" if low == high else f"{low} to {high}"

    def __str__(self) -> str:
        return f"{visible(self.name)}: {visible(self.size)}" if self.name else visible(self.size)


@dataclass(frozen=True)
class Inspection:
    """What an object or a file holds; prints as a table.

    Attributes
    ----------
    source
        The file, or the type of the object.
    rows
        One `Variable` for each thing in it, draws first.
    is_file
        Whether it is a file.
    note
        What `Samples.note` says of the draws, where they are few enough to look at all of them.
    """

    source: str
    rows: tuple[Variable, ...]
    is_file: bool = True
    note: str = ""

    def call(self, row: Variable) -> str:
        """The call that reads the draws of a row.

        Examples
        --------
        >>> draws = Variable("post[[]]$Z", "list over draws", 9, 4, (1, 2))
        >>> Inspection("draws.rds", (draws,)).call(draws)
        "fangs.read('draws.rds')"
        """
        is_choice = sum(other.holds_draws for other in self.rows) > 1
        chosen = f", variable={row.name!r}" if is_choice else ""
        verb = f"fangs.read({self.source!r}" if self.is_file else "fangs.Samples(draws"
        return f"{verb}{chosen})"

    def __str__(self) -> str:
        draws = [row for row in self.rows if row.holds_draws]
        others = [f"  {row}" for row in self.rows if not row.holds_draws]
        if not draws:
            nothing = f"{visible(self.source)}: nothing that fangs can read as draws"
            return "\n".join([nothing, *others])
        head = ("variable", "form", "draws", "items", "features", "chains", "call")
        table: list[tuple[str, ...]] = [head]
        for row in draws:
            chains = "-" if row.chains is None else row.chains
            sizes = (row.n_draws, row.n_items, row._widths, chains)
            table.append(tuple(map(visible, (row.name or "-", row.what, *sizes, self.call(row)))))
        widths = [max(len(line[c]) for line in table) for c in range(len(table[0]))]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in table
        )
        found = [visible(self.source), *(f"  {line}" for line in lines)]
        found += ["", f"Note: {visible(self.note)}"] if self.note else []
        return "\n".join([*found, *(["", "Also there:", *others] if others else [])])


def choose(variables: Sequence[Variable], *, name: str = "draws", by_name: bool = True) -> str:
    """The variable that holds the draws, where nobody says which; refused if that is unclear.

    What is named as data, truth or an estimate is not chosen where anything else could be, unless
    `by_name` is False: columns of one table all vary from draw to draw.

    Examples
    --------
    >>> draws, truth = (Variable(x, "array", 9, 4, (2, 2)) for x in ("Z", "truth"))
    >>> choose([draws, truth])
    'Z'
    """
    fitting = [each for each in variables if each.holds_draws]
    named = [each for each in fitting if not (by_name and names_no_draws(each.name))]
    if len(named) == 1:
        return named[0].name
    if fitting:
        lines = [f"{name} may have the draws in several places; say which"]
        lines += [f"  variable={each.name!r}: {each.size}" for each in fitting[:12]]
        lines += [f"  and {len(fitting) - 12} more"] * (len(fitting) > 12)
        raise ValueError("\n".join(lines))
    near = [each for each in variables if each.problem is not None]
    if near:
        start = f"{near[0].name}: " if near[0].name else ""
        raise ValueError(f"{name} holds no draws of 0 and 1; nearly: {start}{near[0].problem}")
    listed = ", ".join(f"{each.name} ({each.what})" for each in variables[:8])
    raise ValueError(f"{name} holds no draws of 0 and 1; it has {listed or 'nothing'}")
