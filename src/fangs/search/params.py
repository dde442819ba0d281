"""The constants that steer the default search."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SearchParams:
    """What the default search trades against time; tests and experiments pass their own.

    Examples
    --------
    >>> SearchParams(subsample_draws=128).subsample_draws
    128
    """

    subsample_draws: int = 256
    """Draws on which starts are made and first improved. More: better starts, but slower."""
    wide_subsample_draws: int = 512
    """The same where draws are wide: their features are harder to tell apart."""
    min_draws: int = 768
    """Fewer draws than this are not subsampled: a second stage would cost more than it saves."""
    deciding_draws: int = 64
    """Draws of the subsample that must decide about an entry: away from a = 1 it is larger."""
    subsample_items: int = 512
    """Items on which starts are made. Fewer: faster, but features of few items are missed."""
    narrow: int = 16
    """Mean number of features up to which draws count as narrow."""
    template_draws: int = 32
    """Draws that a template is grown from, where draws are narrow."""
    wide_template_draws: int = 64
    """The same where they are wide and columns are harder to tell apart."""
    max_repeats: int = 2
    """Starts in a row that repeat an earlier one, after which no more are made."""
    sweeten_seconds: float = 0.025
    """Time for one pass over all draws for each end that goes on to them; else fewer go on."""
    subsample_tries: tuple[str, ...] = ("penalty",)
    """Perturbations on the subsample, where all draws cannot afford any."""
    final_tries: tuple[str, ...] = ("tabu",)
    """Perturbations over all draws."""
    time_left_tries: tuple[str, ...] = ("tabu", "exchange")
    """Perturbations over all draws as long as the user grants time."""
    n_final: int = 2
    """Ends over all draws that are perturbed. More: surer, but slower."""
    walk_steps: int = 10
    """Steps of a tabu walk."""
    walk_seconds: float = 0.02
    """Time that a tabu walk may take by the cost model; large problems get shorter ones or none."""
    free_seconds: float = 0.001
    """Time of a walk, by the cost model, up to which it is made even where all starts agree."""
    max_ascents: int = 5
    """Steps up in a row after which a walk is given up: clear draws are soon left alone."""
    tabu_tenure: int = 6
    """Steps for which a flip may not be taken back. Too short: circles. Too long: strays."""
    penalty_factors: tuple[float, ...] = (0.7, 1.4, 0.5, 2.0)
    """Factors on the odds a : (2 - a) by which penalty perturbations shift, in turn."""
    shift_seconds: float = 0.05
    """Longest pass over the subsample, by the cost model, with which penalties are shifted."""
    patience: int = 500
    """Perturbations in a row without success that end a search with time to spare."""
