"""A map of the posterior: draws, estimates and other allocations as points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.check.arguments import as_allocation, as_count, as_seed
from fangs.check.text import rounded
from fangs.draws.info import SamplesInfo
from fangs.draws.weights import choose_draws
from fangs.engine import Engine, as_engine
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.modes import Modes
from fangs.modes import modes as find_modes
from fangs.plot.canvas import axes_or_new, legend_beside
from fangs.plot.embedding import embed
from fangs.plot.palette import NEUTRAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEAREST = 25
"""Draws nearest to an estimate among which the best one is looked for."""
# From the palette of Okabe and Ito (2008), in an order in which neighbours differ in brightness.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
SHAPES = ("o", "^", "s", "v", "D")
"""Of draws: another one where the colours are used up."""
MARKERS = ("o", "X", "P", "D", "s", "^", "v", "p", "h")


def map(
    samples: Any,
    *,
    modes: Modes | Estimate | None = None,
    others: Mapping[str, Any] | None = None,
    color: Literal["mode", "chain"] | None = None,
    max_draws: int = 4000,
    n_landmarks: int = 200,
    seed: int | None = 0,
    n_threads: int | None = None,
    figsize: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the posterior as a map: near points are allocations with a small FARO loss.

    Multidimensional scaling places the points so that their distances come near to the losses at
    a = 1. Two dimensions cannot keep all of them: the *stress* in the corner is 0 for a perfect
    map, and near 1 if next to nothing is kept. Draws that scatter in many directions at once are
    shown nearer to each other than they are. Groups far apart are shown faithfully.

    Parameters
    ----------
    samples
        The posterior draws: `fangs.Samples`, or anything it accepts.
    modes
        From `fangs.modes` or `fangs.estimate`, on the same draws; None calls `fangs.modes`.
    others
        Other allocations to show, by name: a truth, or estimates by `fangs.alternatives`.
    color
        "mode" or "chain"; by default the mode if there are several, else the chain.
    max_draws
        The most draws to show; if there are more, they are picked at random.
    n_landmarks
        Draws whose losses to all others are computed; the rest are placed by these.
    seed
        For the modes, the draws shown and the landmarks.
    n_threads
        Threads to use; None means all cores. NumPy's linear algebra has threads of its own, which
        ``OPENBLAS_NUM_THREADS`` or its like limits.
    figsize, ax
        Size of a new figure in inches, or the axes to draw on.

    Examples
    --------
    >>> import fangs
    >>> ax = fangs.plot.map(fangs.datasets.example(), seed=1)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['mode 1, 75 %', 'mode 2, 25 %', 'estimates', 'best draw']
    """
    engine, seed = as_engine(samples, n_threads), as_seed(seed)
    shown, whole = as_count(max_draws, name="max_draws"), engine.samples_info
    landmarks = as_count(n_landmarks, name="n_landmarks", minimum=3)
    found = find_modes(engine, seed=seed) if modes is None else modes
    estimates = found.estimates if isinstance(found, Modes) else (found,)
    labels = found.labels if isinstance(found, Modes) else np.zeros(whole.n_draws, dtype=np.int64)
    _check_draws(found, labels, whole)
    by = _color(color, len(estimates), whole.chains is not None)
    named = {
        name: as_allocation(matrix, name=f"others[{name!r}]", n_items=whole.n_items)
        for name, matrix in (others or {}).items()
    }
    best = engine.draw(best_draw_near(estimates[0], engine, np.flatnonzero(labels == 0), a=1.0)[0])
    rng = np.random.default_rng(seed)
    draws = whole.counted
    if len(draws) > shown:
        draws = np.sort(choose_draws(whole.weights, whole.n_draws, shown, rng))
    if len(draws) < whole.n_draws:
        engine = engine.select(draws)
    marked = [*(e.matrix for e in estimates), best, *named.values()]
    placed = embed(engine, marked, n_landmarks=landmarks, rng=rng)
    ax = axes_or_new(ax, figsize=figsize, size=(6.4, 4.6))
    groups = whole.chain_codes if by == "chain" else labels
    _draw_draws(ax, placed.draws, groups[draws], _names(by, groups, whole))
    _draw_marks(ax, placed.others, len(estimates), ["best draw", *named])
    _finish(ax, placed.stress, len(draws), whole.n_draws)
    return ax


def _draw_draws(
    ax: Axes, points: FloatArray, groups: IntArray, names: Sequence[str] | None
) -> None:
    """Draw the draws in the colours of their groups; small and pale where they are many."""
    look: dict[str, Any] = {
        "s": float(np.clip(6000 / len(points), 4, 36)),
        "alpha": float(np.clip(900 / len(points), 0.25, 0.8)),
        "linewidths": 0,
    }
    for g in np.unique(groups):
        its = points[groups == g]
        look |= {"label": "draws", "color": NEUTRAL}
        if names is not None:
            look |= {"label": names[g], "color": COLORS[g % len(COLORS)]}
        marker = SHAPES[g // len(COLORS) % len(SHAPES)]
        order = 1 if len(its) > len(points) / 2 else 2
        ax.scatter(its[:, 0], its[:, 1], marker=marker, zorder=order, **look)


def _names(by: str | None, groups: IntArray, info: SamplesInfo) -> list[str] | None:
    """What the legend calls the groups of draws; None if there is one group only."""
    if by is None:
        return None
    if by == "chain":
        return [f"chain {name}" for name in info.chain_names]
    shares = np.bincount(groups, weights=info.weights) / info.total_weight
    return [f"mode {m + 1}, {rounded(100 * share)} %" for m, share in enumerate(shares)]


def _draw_marks(ax: Axes, points: FloatArray, n_estimates: int, names: Sequence[str]) -> None:
    """Draw estimates as stars, numbered where there are several, and what else has a name."""
    look: dict[str, Any] = {"color": "black", "edgecolors": "white", "linewidths": 1.0, "zorder": 4}
    stars, others = points[:n_estimates], points[n_estimates:]
    label = "estimates" if n_estimates > 1 else "estimate"
    ax.scatter(stars[:, 0], stars[:, 1], s=220, marker="*", label=label, **look)
    for k, (name, point) in enumerate(zip(names, others, strict=True)):
        ax.scatter(point[0], point[1], s=75, marker=MARKERS[k % len(MARKERS)], label=name, **look)
    if n_estimates > 1:
        place: dict[str, Any] = {"xytext": (7, 7), "textcoords": "offset points"}
        for m, star in enumerate(stars):
            ax.annotate(str(m + 1), star, weight="bold", **place)


def _check_draws(found: Modes | Estimate, labels: IntArray, info: SamplesInfo) -> None:
    made_from = len(labels) if isinstance(found, Modes) else found.n_draws
    if made_from != info.n_draws:
        raise ValueError(
            f"modes was made from {made_from} draws, but samples has {info.n_draws}; give the same "
            "draws"
        )
    theirs = found.engine.samples_info if isinstance(found, Modes) else found
    if theirs.fingerprint is not None and theirs.fingerprint != info.fingerprint:
        raise ValueError("modes was made from other draws than samples; give the same draws")


def _color(color: Any, n_modes: int, has_chains: bool) -> str | None:
    if color not in (None, "mode", "chain"):
        raise ValueError(f'color = {color!r} is not known; choose "mode" or "chain"')
    if color == "chain" and not has_chains:
        raise ValueError(
            'color = "chain", but samples has no chains: fangs.Samples(draws, chains=labels)'
        )
    if color is None:
        return "mode" if n_modes > 1 else "chain" if has_chains else None
    return str(color)


def best_draw_near(
    estimate: Estimate, engine: Engine, among: IntArray, *, a: float
) -> tuple[int, float]:
    """The draw of lowest expected loss, and that loss, of those nearest to an estimate.

    Its losses are those to the draws `among`, which are some of the engine's. The best of all draws
    would take a matching of each with each.
    """
    info = engine.samples_info
    near = among[np.argsort(estimate.losses, kind="stable")]
    near = near[np.isin(near, info.counted)][:NEAREST]
    objective = Objective.of(info, a)

    def loss(draw: int) -> float:
        matrix: BinaryMatrix = engine.draw(draw)
        return objective.expected_loss(int(matrix.sum()), info.weigh(engine.overlaps(matrix)))

    losses = [loss(int(b)) for b in near]
    best = int(np.argmin(losses))
    return int(near[best]), losses[best]


def _finish(ax: Axes, stress: float, n_shown: int, n_draws: int) -> None:
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xlabel="FARO loss at a = 1", ylabel="FARO loss at a = 1")
    words = f"stress {stress:.2f}"
    if n_shown < n_draws:
        words += f"; {n_shown:,} of {n_draws:,} draws"
    place: dict[str, Any] = {"transform": ax.transAxes, "ha": "right", "va": "bottom"}
    ax.text(0.99, 0.01, words, fontsize="small", **place)
    handle: Any
    for handle in legend_beside(ax).legend_handles:
        handle.set_alpha(1)
        handle.set_sizes(np.maximum(handle.get_sizes(), 40))
