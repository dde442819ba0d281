"""compare(): run several methods on the same draws and tabulate loss, size and time."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from fangs._extras import frame
from fangs.alternatives.registry import METHODS, Method
from fangs.alternatives.result import NotApplicableError
from fangs.check.arguments import as_penalty, as_seed, as_threads
from fangs.check.text import rounded
from fangs.draws.samples import as_samples
from fangs.engine import Engine, as_engine, is_engine
from fangs.estimate import Estimate
from fangs.posterior import assess
from fangs.search import Interrupted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One method's line of a `Comparison`.

    If the method does not apply to the draws, all but `method` and `note` are None.

    Attributes
    ----------
    method
        Name of the method.
    label
        What the literature calls it, such as "DFA"; empty for a method of your own.
    expected_loss, n_features, n_ones
        Expected loss, features and ones of its estimate.
    seconds
        Wall time.
    note
        The warning that it gave, or why it does not apply; else empty.
    estimate
        The estimate itself.
    """

    method: str
    label: str = ""
    expected_loss: float | None = None
    n_features: int | None = None
    n_ones: int | None = None
    seconds: float | None = None
    note: str = ""
    estimate: Estimate | None = None

    @property
    def described(self) -> str:
        """The note after the name of the method, which it may begin with already."""
        is_named = self.note.startswith(f"{self.method} ")
        return self.note if is_named else f"{self.method}: {self.note}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison:
    """Several methods on the same draws, in the order asked for; prints as a table.

    Attributes
    ----------
    rows
        One `Compared` per method.
    a
        Penalty of the expected loss.
    """

    rows: tuple[Compared, ...]
    a: float

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Compared]:
        return iter(self.rows)

    def __getitem__(self, method: str) -> Compared:
        for row in self.rows:
            if row.method == method:
                return row
        raise KeyError(f"{method!r} was not compared; there are {', '.join(self._methods)}")

    @property
    def best(self) -> Compared | None:
        """The first line with the lowest expected loss; None if no method applies."""
        ended = [row for row in self.rows if row.expected_loss is not None]
        return min(ended, key=lambda row: row.expected_loss or 0.0, default=None)

    @property
    def _methods(self) -> list[str]:
        return [row.method for row in self.rows]

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame, one row per method; needs pandas."""
        names = ("label", "expected_loss", "n_features", "n_ones", "seconds", "note")
        columns = {name: [getattr(row, name) for row in self.rows] for name in names}
        whole = {"n_features": "Int64", "n_ones": "Int64"}
        real = {"expected_loss": "float64", "seconds": "float64"}
        return frame(columns, index=self._methods, name="method").astype(whole | real)

    def __str__(self) -> str:
        wide = max(map(len, [*self._methods, "method"]))
        lines = [
            f"{'method':<{wide}}  {'loss':>10}  {'K':>4}  {'ones':>6}  {'seconds':>7}  known as"
        ]
        for row in self.rows:
            if row.estimate is None:
                numbers = f"{'-':>10}  {'-':>4}  {'-':>6}  {'-':>7}"
            else:
                loss = rounded(row.expected_loss or 0.0, 6)
                numbers = f"{loss:>10}  {row.n_features:>4}  {row.n_ones:>6}  {row.seconds:>7.2g}"
            lines.append(f"{row.method:<{wide}}  {numbers}  {row.label}".rstrip())
        notes = [
            line
            for row in self.rows
            if row.note
            for line in wrap(row.described, width=80, subsequent_indent="  ")
        ]
        blank = [""] if notes else []
        return "\n".join([f"Expected FARO loss at a = {self.a:g}", "", *lines, *blank, *notes])

    def __repr__(self) -> str:
        best = self.best
        found = "" if best is None else f" by {best.method}"
        if best is not None and best.expected_loss is not None:
            found = f", lowest loss {rounded(best.expected_loss, 6)}{found}"
        methods = "method" if len(self) == 1 else "methods"
        return f"<Comparison: {len(self)} {methods}{found}>"

    def _repr_html_(self) -> str:
        from fangs.report.views import comparison_html

        return comparison_html(self)


def compare(
    samples: Any,
    *,
    methods: Sequence[str] | Mapping[str, Callable[..., Estimate]] | None = None,
    a: float = 1.0,
    seed: int | None = None,
    n_threads: int | None = None,
) -> Comparison:
    """Run several methods on the same draws and compare their estimates in a table.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    methods
        Names: ``"estimate"`` for `fangs.estimate`, ``"fangs"`` for FANGS as published, Algorithm 1
        of Dahl et al. 2023 (``n_iter=1000``), and the functions of `fangs.alternatives`. None takes
        all. Or a mapping from your own names to functions that take ``(samples, a=a)`` and return
        an `Estimate`. If its numbers are about other draws or another penalty, it is assessed again
        on these.
    a
        Price of a one that the estimate has and a draw lacks, between 0 and 2.
    seed
        For the methods that use randomness.
    n_threads
        Threads to use; None means all cores.

    Returns
    -------
    Comparison
        One line per method. The note of a method that does not apply, or for which memory did not
        suffice, says why. Ctrl-C leaves the methods that have ended with `Interrupted`.

    Examples
    --------
    >>> table = compare([[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]]], seed=1)
    >>> table["draws"].expected_loss
    0.3333333333333333
    >>> table["sequential"].note
    'sequential needs draws with equal numbers of features, but these have 1 to 2 ...'
    >>> print(compare([[[1], [1]], [[1], [1]], [[1], [0]]], methods=["draws", "map"]))
    Expected FARO loss at a = 1
    <BLANKLINE>
    method        loss     K    ones  seconds  known as
    draws     0.333333     1       2  ...  draws method
    map       0.333333     1       2  ...  MAP, zero-one loss
    """
    samples = samples if is_engine(samples) else as_samples(samples)
    a = as_penalty(a)
    seed, n_threads = as_seed(seed), as_threads(n_threads)
    engine = as_engine(samples, n_threads)
    options: dict[str, Any] = {"a": a}
    if isinstance(methods, Mapping):
        chosen = {name: Method(function) for name, function in methods.items()}
    else:
        chosen = {name: METHODS[name] for name in _as_names(methods)}
        options["n_threads"] = n_threads
    rows: list[Compared] = []
    try:
        for name, method in chosen.items():
            seeded = options | {"seed": seed} if method.takes_seed else options
            call = partial(method.function, samples, **seeded)
            rows.append(_row(name, call, method.label, engine, a))
    except KeyboardInterrupt as interrupt:
        ended = Comparison(rows=tuple(rows), a=a)
        best = ended.best.estimate if ended.best else getattr(interrupt, "estimate", None)
        # A method of the user's own may have been stopped in a search for something else.
        if best is not None and not _is_about(best, engine, a):
            best = None
        raise Interrupted(best, ended if rows else None) from interrupt
    return Comparison(rows=tuple(rows), a=a)


def _is_about(found: Estimate, engine: Engine, a: float) -> bool:
    return (found.a, found.fingerprint) == (a, engine.samples_info.fingerprint)


def _row(name: str, call: Callable[[], Estimate], label: str, engine: Engine, a: float) -> Compared:
    began = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = call()
        except NotApplicableError as error:
            return Compared(method=name, label=label, note=str(error))
        except MemoryError:
            return Compared(method=name, label=label, note="there was not enough memory for it")
    if not isinstance(found, Estimate):
        raise TypeError(
            f"methods[{name!r}] returned {type(found).__name__}, not an Estimate; return "
            "fangs.assess(matrix, samples, a=a)"
        )
    seconds = time.perf_counter() - began
    notes = [str(warning.message) for warning in caught]
    if not _is_about(found, engine, a):
        found = assess(found, engine, a=a)
        notes.append(
            "its estimate came with numbers of other draws or another penalty; "
            f"these are about all draws, at a = {a:g}"
        )
    return Compared(
        method=name,
        label=label,
        expected_loss=found.expected_loss,
        n_features=found.n_features,
        n_ones=found.n_ones,
        seconds=seconds,
        note="; ".join(notes),
        estimate=found,
    )


def _as_names(methods: Any) -> list[str]:
    if methods is None:
        return list(METHODS)
    if isinstance(methods, str) or not isinstance(methods, Sequence):
        raise TypeError(
            f"methods is {methods!r}; give a list of names, such as ['map'], or a mapping to "
            "functions"
        )
    for name in methods:
        if name not in METHODS:
            raise ValueError(f"methods has {name!r}, which is none of {', '.join(METHODS)}")
    return list(dict.fromkeys(methods))
