"""The constants that steer column generation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ColumnParams:
    """What column generation trades against time and memory; tests pass their own.

    Examples
    --------
    >>> ColumnParams(max_nodes=1000).max_nodes
    1000
    """

    max_items: int = 1024
    """Items over which columns are enumerated by branch and bound."""
    max_denominator: int = 1000
    """Largest denominator of `a` for which values are whole numbers of moderate size."""
    max_variables: int = 20_000_000
    """Variables of the programme; with more it takes minutes and gigabytes."""
    n_starts: int = 300
    """Features of the draws, the most frequent ones, from which columns are searched."""
    n_climbs: int = 100
    """Of these, and of the columns known, those that are improved by flips."""
    columns_per_round: int = 24
    """Columns added to the programme in one round. More: fewer, but slower rounds."""
    rough_gap: float = 1e-3
    """Relative gap of the programme while columns are still missing."""
    first_nodes: int = 1000
    """Nodes of the first attempt at a proof; where it fails, raised prices come before a second."""
    first_share: float = 0.1
    """Part of the time left for the first attempt."""
    max_nodes: int = 1_000_000
    """Nodes of one proof that no column is missing."""
    levels: tuple[float, ...] = (0.3, 0.1, 0.03, 0.009, 0.0)
    """Shares of the way to safe prices, by which the bound falls; the last is the programme's."""
    effort: tuple[int, ...] = (1, 30, 90, 130, 150)
    """Time of the proof at these levels, relatively: somewhat more than on draws of 30 items."""
    level_share: float = 0.7
    """Part of the time left that a level may take if a coarser one could follow."""
    max_listed: int = 3000
    """Columns over which branching may run."""
    max_branches: int = 2000
    """Nodes of the branching that are solved at most."""
    listed_per_round: int = 32
    """Listed columns added to the programme of a branch at once, where they make a profit."""
    branch_gap: float = 0.1
    """Gap of a branch's programme, as a part of what it must come down to be closed."""
    whole: float = 1e-4
    """A multiplicity this close to a whole number counts as one."""
