"""What a file holds, before it is read: `fangs.inspect`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from fangs._visible import visible
from fangs.samples import Samples

__all__ = ["Inspection", "Variable", "call", "described", "inspect"]


@dataclass(frozen=True)
class Variable:
    """Something in a file: draws, nearly draws, or something else.

    A reader of files describes them with a function from the path to a list of these, and a line in
    `fangs.io.registry.DESCRIBERS`.

    Attributes
    ----------
    name
        Its name, for ``variable=``; empty where the file has no names.
    what
        Its form in the file, in words.
    n_draws, n_items
        Numbers of draws and items; None where only reading tells, or where these are no draws.
    n_features
        Fewest and most columns of a draw.
    chains
        Number of chains, None where the file does not tell.
    call
        The call that reads the draws; None for other things.
    items
        Labels of the items, where the file has some.
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
    call: str | None = None
    items: tuple[str, ...] | None = None
    problem: str | None = None

    @property
    def holds_draws(self) -> bool:
        """Whether `fangs.read` reads it."""
        return self.call is not None

    @property
    def size(self) -> str:
        """Numbers of draws, items, features and chains in words; else what is there."""
        if self.n_draws is None or self.n_features is None:
            return self.problem or self.what
        low, high = self.n_features
        features = f"{low}" if low == high else f"{low} to {high}"
        chains = "" if self.chains is None else f", {self.chains} chains"
        draws = "1 draw" if self.n_draws == 1 else f"{self.n_draws} draws"
        return f"{draws}, {self.n_items} items, {features} features{chains}"

    def __str__(self) -> str:
        return f"{visible(self.name)}: {visible(self.size)}"


@dataclass(frozen=True)
class Inspection:
    """What a file holds; prints as a table.

    Attributes
    ----------
    path
        The file.
    rows
        What could be read as draws, one `Variable` each.
    """

    path: str
    rows: tuple[Variable, ...]

    def __str__(self) -> str:
        draws = [row for row in self.rows if row.holds_draws]
        others = [f"  {row}" for row in self.rows if not row.holds_draws]
        if not draws:
            nothing = f"{visible(self.path)}: nothing that fangs can read as draws"
            return "\n".join([nothing, *others])
        head = ("variable", "form", "draws", "items", "features", "chains", "call")
        table: list[tuple[str, ...]] = [head]
        for row in draws:
            low, high = row.n_features or (None, None)
            features = "?" if low is None else f"{low}" if low == high else f"{low} to {high}"
            numbers = ("?" if x is None else str(x) for x in (row.n_draws, row.n_items))
            chains = "-" if row.chains is None else str(row.chains)
            cells = (row.name or "-", row.what, *numbers, features, chains, row.call or "")
            table.append(tuple(map(visible, cells)))
        widths = [max(len(line[c]) for line in table) for c in range(len(table[0]))]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in table
        )
        found = [visible(self.path), *(f"  {line}" for line in lines)]
        return "\n".join([*found, *(["", "Also there:", *others] if others else [])])


def inspect(path: str | os.PathLike[str]) -> Inspection:
    """Say what a file holds that could be read as draws, and how to read it.

    Parameters
    ----------
    path
        A file of any kind that `fangs.read` knows.

    Returns
    -------
    Inspection
        Prints as a table; ``.rows`` has a `Variable` for each line.

    Examples
    --------
    >>> import numpy as np, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.npz")
    ...     np.savez(path, Z=np.ones((40, 5, 3)), sigma=np.ones(40))
    ...     found = inspect(path)
    >>> [(row.name, row.n_draws, row.n_items, row.n_features) for row in found.rows]
    [('Z', 40, 5, (3, 3))]
    """
    from fangs.io.guard import naming, sniff
    from fangs.io.registry import DESCRIBERS, known_suffix, read

    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path is of type {type(path).__name__}; give the name of a file of draws")
    path = Path(path)
    suffix = known_suffix(path)
    sniff(path)
    if suffix not in DESCRIBERS:
        return Inspection(str(path), (described(read(path), path, what="draws"),))
    with naming(path):
        rows = tuple(DESCRIBERS[suffix](path))
    return Inspection(str(path), rows)


def described(samples: Samples, path: Path, *, name: str = "", what: str) -> Variable:
    """What is known of draws that have been read."""
    sizes = (int(samples.n_features.min()), int(samples.n_features.max()))
    chains = None if samples.chains is None else len(set(samples.chains.tolist()))
    return Variable(name, what, len(samples), samples.n_items, sizes, chains, call(str(path)))


def call(path: str, variable: str | None = None) -> str:
    """The call that reads a variable of a file.

    Examples
    --------
    >>> call("draws.rds", "post[[]]$Z")
    "fangs.read('draws.rds', variable='post[[]]$Z')"
    """
    chosen = "" if variable is None else f", variable={variable!r}"
    return f"fangs.read({path!r}{chosen})"
