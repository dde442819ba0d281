"""The bound by column generation for any penalty, whatever ends it: a proof, the clock, Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from fangs._typing import BinaryMatrix
from fangs.bounds.columns import MAX_DENOMINATOR, ColumnProof, largest_scale
from fangs.engine import Engine, OutOfTimeError
from fangs.loss import Objective
from fangs.search.clock import Clock
from fangs.search.state import Progress

MAX_ITEMS = 1024
"""Items over which columns are enumerated by branch and bound."""


@dataclass(frozen=True, eq=False)
class ColumnBound:
    """What column generation found out."""

    bound: Fraction | None
    """No allocation has a lower expected loss; None if nothing was proved."""
    n_columns: int
    better: BinaryMatrix | None
    """An allocation that is better than the one given, or None."""
    rounds: tuple[tuple[int, float], ...]
    stopped_because: str


def column_bound(
    engine: Engine,
    objective: Objective,
    matrix: BinaryMatrix,
    clock: Clock,
    report: Callable[[Progress], None] | None = None,
) -> ColumnBound:
    """Bound the expected loss of every allocation; `matrix` is a good one."""
    a, info = objective.exact_a, engine.samples_info
    if info.n_items > MAX_ITEMS:
        return ColumnBound(None, 0, None, (), f"there are more than {MAX_ITEMS} items")
    if largest_scale(info) < 2 * min(a.denominator, MAX_DENOMINATOR):
        return ColumnBound(None, 0, None, (), "the draws weigh too much for whole numbers")
    if a.denominator <= MAX_DENOMINATOR:
        return _run(engine, objective, matrix, clock, report)
    # The lowest loss is concave in a, and 0 at a = 0 and a = 2: interpolate.
    below = Fraction(a.numerator * MAX_DENOMINATOR // a.denominator, MAX_DENOMINATOR)
    share = (a - below) * MAX_DENOMINATOR
    total, n_columns, better, reasons = Fraction(0), 0, None, []
    for end, part in ((below, 1 - share), (below + Fraction(1, MAX_DENOMINATOR), share)):
        if 0 < end < 2:
            there = replace(objective, a=float(end))
            found = _run(engine, there, matrix, clock, report)
            total += part * (found.bound or 0)
            n_columns = max(n_columns, found.n_columns)
            reasons.append(found.stopped_because)
            if found.better is not None and _score(engine, objective, found.better) < _score(
                engine, objective, better if better is not None else matrix
            ):
                better = found.better
    return ColumnBound(total, n_columns, better, (), next(filter(None, reasons), ""))


def _run(
    engine: Engine,
    objective: Objective,
    matrix: BinaryMatrix,
    clock: Clock,
    report: Callable[[Progress], None] | None,
) -> ColumnBound:
    def on_round(n_columns: int, loss: float) -> None:
        if report is not None:
            report(Progress("columns", n_columns, None, loss))

    try:
        proof = ColumnProof(engine.limited(clock.left), objective, matrix, clock, on_round)
    except OutOfTimeError:
        return ColumnBound(None, 0, None, (), "time is over")
    first, reason = proof.best, ""
    try:
        proof.run()
    except KeyboardInterrupt:
        reason = "interrupted"
    except OutOfTimeError:
        reason = "time is over"
    if not proof.is_proved and not reason:
        reason = "time is over" if clock.is_over else proof.stopped_because
    return ColumnBound(
        proof.bound(),
        proof.columns.shape[1],
        proof.best_matrix if proof.best > first else None,
        tuple(proof.rounds),
        reason,
    )


def _score(engine: Engine, objective: Objective, matrix: BinaryMatrix) -> int:
    overlap = engine.samples_info.weigh(engine.overlaps(matrix))
    return objective.score(int(matrix.sum()), overlap)
