"""The constants that steer the search for modes and the choice of their number."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ModesParams:
    """What the search for modes trades; tests and experiments pass their own.

    Examples
    --------
    >>> ModesParams(n_seedings=8).n_seedings
    8
    """

    n_seedings: int = 6
    """Seedings from nothing for each number of modes. More: surer, but slower."""
    n_additions: int = 6
    """Seedings that add a draw to the modes found for one mode fewer."""
    subsample_draws: int = 1000
    """Draws on which seedings compete where there are twice as many different ones or more."""
    least_gain: float = 0.1
    """Share of the expected loss that one more mode must save."""
    clear_margin: float = 1 / 3
    """A draw is clear if its margin is above this share of the distance between two modes."""
    cloud_clear: float = 5 / 6
    """Share of clear draws that halves of one cloud may have; `rule` says why."""
    clear_errors: float = 1.0
    """Standard errors by which every mode must have more. More: fewer modes where there are none,
    but more that are missed."""
    least_joint: float = 1 / 3
    """Share of the distance between two modes that must be left without its largest part."""
    least_weight: float = 0.02
    """Share of all draws that every mode must have."""
    fewest_draws: int = 5
    """Draws that every mode must have; the effective number of them where they have weights."""
