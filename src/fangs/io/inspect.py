"""What a file holds, before it is read: `fangs.inspect`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from fangs.samples import Samples

__all__ = ["Inspection", "Variable", "described", "inspect"]


@dataclass(frozen=True)
class Variable:
    """Something in a file that `fangs.read` can take for draws."""

    name: str
    """Its name, for ``variable=``; empty where the file has no names."""
    what: str
    """Its form in the file, in words."""
    n_draws: int | None
    """Number of draws, None where only reading tells."""
    n_items: int | None
    n_features: tuple[int, int] | None
    """Fewest and most columns of a draw."""
    chains: int | None
    """Number of chains, None where the file does not tell."""
    call: str
    """The call that reads it."""


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
        if not self.rows:
            return f"{self.path}: nothing that fangs can read as draws"
        head = ("variable", "form", "draws", "items", "features", "chains", "call")
        table: list[tuple[str, ...]] = [head]
        for row in self.rows:
            low, high = row.n_features or (None, None)
            features = "?" if low is None else f"{low}" if low == high else f"{low} to {high}"
            numbers = ("?" if x is None else str(x) for x in (row.n_draws, row.n_items))
            chains = "-" if row.chains is None else str(row.chains)
            table.append((row.name or "-", row.what, *numbers, features, chains, row.call))
        widths = [max(len(line[c]) for line in table) for c in range(len(table[0]))]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in table
        )
        return "\n".join([self.path, *(f"  {line}" for line in lines)])


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
    call = f"fangs.read({str(path)!r})"
    return Variable(name, what, len(samples), samples.n_items, sizes, chains, call)
