"""The table of names: what programs call draws, chains, items, features, weights and values.

Objects and files alike are read by this table, without regard to case. The page "What is what in
your file" is made from it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

__all__ = ["NOT_DRAWS", "ROLES", "ROW_NAMES", "found_roles", "is_row_names", "names_no_draws"]

ROLES: Mapping[str, tuple[str, ...]] = {
    "draw": (
        "draw", ".draw", "draw__", "draws",
        "iteration", ".iteration", "iter__", "iter", "iterations", "sample", "samples",
    ),
    "chain": ("chain", ".chain", "chain__", "chains"),
    "item": ("item", "items", "observation", "observations", "obs", "row", "rows"),
    "feature": ("feature", "features", "component", "components", "column", "columns", "k"),
    "weight": ("weight", ".weight", "weights"),
    "value": ("value", ".value", "values", "z", "present", "freq"),
}  # fmt: skip
"""Names by what they mean; of several that are there, the first counts."""

UNCLEAR = ("sample", "samples")
"""Names of draws only where nothing else is called so: a biologist's samples are the items."""

ROW_NAMES = ("", "rownames", "unnamed: 0")
"""What programs call the column with the names of a table's rows; it means nothing here."""

NOT_DRAWS = (
    "truth", "true", "z_true", "ztrue", "true_z", "z0", "z_0", "z_sim", "simulated",
    "data", "observed", "estimate", "z_hat", "zhat", "initial", "z_init",
)  # fmt: skip
"""What programs call data, a truth or an estimate, which may look like draws; in lower case."""

_Name = TypeVar("_Name", bound=Hashable)


def found_roles(
    names: Iterable[_Name], told: Mapping[str, Any] | None = None, *, name: str = "draws"
) -> dict[str, _Name]:
    """The names that have a meaning, by their meaning; what is told goes first.

    Parameters
    ----------
    names
        Names of dimensions or columns.
    told
        Names by meaning, from ``dims=``; each must be among the names.
    name
        What complaints call their owner.

    Examples
    --------
    >>> found_roles(["Draw", "item", "person"], {"item": "person"})
    {'item': 'person', 'draw': 'Draw'}
    >>> found_roles(["iteration", "sample", "feature"])
    {'draw': 'iteration', 'feature': 'feature'}
    """
    present = list(names)
    found: dict[str, _Name] = {}
    for role, wanted in (told or {}).items():
        if wanted not in present:
            listed = ", ".join(repr(each) for each in present[:12])
            no_file = ", and there is no such file" if role == "weight" else ""
            raise ValueError(
                f"{name} has nothing called {wanted!r} to be the {role}{no_file}; it has "
                f"{listed or 'no names'}"
            )
        found[role] = wanted
    lower = {str(each).lower(): each for each in present if each not in found.values()}
    for role, aliases in ROLES.items():
        if role not in found:
            usual = [alias for alias in aliases if alias in lower]
            if usual:
                found[role] = lower[usual[0]]
    return found


def is_row_names(name: Any) -> bool:
    """Whether a column is that of the names of the rows, as pandas, polars and R write it."""
    text = str(name).lower()
    return text in ROW_NAMES or (text.startswith("__index_level_") and text.endswith("__"))


def names_no_draws(name: Any) -> bool:
    """Whether something is named as data, a truth or an estimate.

    Examples
    --------
    >>> names_no_draws("Z_true"), names_no_draws("posterior/Z")
    (True, False)
    """
    return str(name).rpartition("/")[2].lower() in NOT_DRAWS
