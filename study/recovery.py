"""How close each method comes to the truth, over repeated simulations."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import fangs
from fangs import alternatives, simulate
from fangs._typing import BinaryMatrix
from fangs.alternatives import registry
from study import figures
from study.markdown import table, write_page

METHODS: Mapping[str, Callable[..., fangs.Estimate]] = {
    "fangs.estimate": partial(fangs.estimate, seed=1),
    "fangs.estimate, n_iter=1000": partial(fangs.estimate, n_iter=1000, seed=1),
    **{
        name: method.function
        for name, method in registry.METHODS.items()
        if name not in ("estimate", "fangs", "deterministic", "exhaustive")
    },
}
REPEATS = 50

Problem = tuple[BinaryMatrix, fangs.Samples]


def posterior(number: int, *, sigma_x: float, n_items: int = 30) -> Problem:
    """Data from the model and its prior, and draws from their posterior: 4 chains, 400 draws."""
    seed = np.random.SeedSequence([number, round(100 * sigma_x)])
    rng = np.random.default_rng(seed)
    prior = simulate.IBP(n_items)
    truth = prior.draw(alpha=1.5, seed=rng)
    data = simulate.linear_gaussian(truth, n_dims=12, sigma_x=sigma_x, sigma_a=1.0, seed=rng).data
    drawn = simulate.sample_posterior(
        data,
        prior=prior,
        alpha=1.5,
        sigma_x=sigma_x,
        sigma_a=1.0,
        n_draws=100,
        burn_in=500,
        thin=2,
        n_chains=4,
        seed=seed,
    )
    return truth, drawn.samples()


def scattered(number: int) -> Problem:
    """Independent draws around a truth, all of one width, as `sequential` needs."""
    made = simulate.posterior_like(40, 5, 400, density=0.35, noise=0.3, seed=number)
    # A feature that lost every item is gone from its draw; such draws are left out.
    return made.truth, fangs.Samples([z for z in made.draws if z.shape[1] == 5])


SCENARIOS: Mapping[str, tuple[str, Callable[[int], Problem]]] = {
    "little noise": (
        "Posterior draws, with truth and data from the linear-Gaussian model under the Indian "
        "buffet process: 30 items, mass 1.5, 12 dimensions, noise 0.5.",
        lambda number: posterior(number, sigma_x=0.5),
    ),
    "much noise": (
        "The same with noise 1.2.",
        lambda number: posterior(number, sigma_x=1.2),
    ),
    "equal widths": (
        "Independent draws around a truth of 40 items and 5 features. Every draw has 5 features. "
        "They are not the posterior of any model.",
        scattered,
    ),
}


@dataclass(frozen=True)
class Recovered:
    """Distances to the truth: a row per method, a column per simulation, NaN if not applicable."""

    distances: np.ndarray[Any, np.dtype[np.float64]]
    n_ones: float
    """Mean number of ones of the truth."""


def measure(make: Callable[[int], Problem], *, repeats: int = REPEATS) -> Recovered:
    """Let every method estimate every simulated problem."""
    distances = np.full((len(METHODS), repeats), np.nan)
    ones = []
    for number in range(repeats):
        truth, samples = make(number)
        ones.append(int(truth.sum()))
        for row, method in enumerate(METHODS.values()):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # map warns where no draw repeats
                    found = method(samples, n_threads=1)
            except alternatives.NotApplicableError:
                continue
            distances[row, number] = fangs.faro_loss(found, truth)
    return Recovered(distances, float(np.mean(ones)))


def mean_and_interval(values: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float, float]:
    """Return the mean and its 95 % interval by Student's t.

    Examples
    --------
    >>> low, mean, high = (mean_and_interval(np.array([1.0, 2.0, 3.0]))[i] for i in (1, 0, 2))
    >>> round(low, 2), mean, round(high, 2)
    (-0.48, 2.0, 4.48)
    """
    from scipy.stats import t

    mean = float(values.mean())
    half = float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return mean, mean - half, mean + half


def write(docs: Path, results: Mapping[str, Recovered]) -> None:
    """Draw the figure and write the page."""
    _draw(docs / "images" / "study-recovery.png", results)
    sections: list[str] = []
    for name, one in results.items():
        rows: list[list[object]] = []
        for method, distances in zip(METHODS, one.distances, strict=True):
            if np.isnan(distances).any():
                rows.append([method, "–", "–", f"{int(np.isfinite(distances).sum())}"])
                continue
            rows.append(
                [
                    *(method, _text(mean_and_interval(distances))),
                    "–"
                    if method == "fangs.estimate"
                    else _text(_behind(distances, one.distances[0])),
                    len(distances),
                ]
            )
        head = ["method", "distance to the truth", "minus fangs.estimate", "simulations"]
        about = SCENARIOS[name][0] if name in SCENARIOS else ""
        sections += [
            f"## {name.capitalize()}",
            f"{about} The truth has {one.n_ones:.1f} ones on average.",
            table(head, rows),
            _verdict(one),
        ]
    write_page(
        docs / "study" / "recovery.md",
        "Recovery of the truth",
        "How close do the estimates of each method come to a known truth? All methods get the same "
        "simulated draws. The second column is the mean FARO loss at a = 1 between estimate and "
        "truth, in entries. Square brackets are 95 % intervals by Student's t. The third column is "
        "the mean difference from `fangs.estimate` within the same simulation. It is much more "
        "precise than the difference of two means. An interval that excludes 0 means that the "
        "simulations show a difference.",
        "In the first two settings the truth is drawn from the prior that the sampler uses. If the "
        "posterior were known exactly, no method could on average be nearer to the truth than the "
        "allocation of lowest expected loss. The question is by how much the other methods miss "
        "it. The chains are short and can get stuck, so the draws are imperfect for every method.",
        "![Distance to the truth by method](../images/study-recovery.png)",
        *sections,
        "`sequential` needs draws that all have the same number of features, so it has no result "
        "in the first two settings. `map` needs draws that repeat; if none does, it returns the "
        "first.",
    )


def _verdict(one: Recovered) -> str:
    """Say which methods the simulations show to be farther or nearer, whatever they show."""
    groups: dict[str, list[str]] = {"farther": [], "nearer": [], "undecided": []}
    for method, distances in list(zip(METHODS, one.distances, strict=True))[1:]:
        if np.isfinite(distances).all():
            _, low, high = _behind(distances, one.distances[0])
            group = "farther" if low > 0 else "nearer" if high < 0 else "undecided"
            groups[group].append(f"`{method}`")
    said = [
        f"{verb} {', '.join(groups[group])}."
        for group, verb in (
            ("farther", "Farther from the truth than `fangs.estimate`:"),
            ("nearer", "Nearer to the truth:"),
            ("undecided", "No difference shown:"),
        )
        if groups[group]
    ]
    return " ".join(
        [*said, "Each interval holds for one comparison, not for all of them together."]
    )


def _behind(
    distances: np.ndarray[Any, Any], reference: np.ndarray[Any, Any]
) -> tuple[float, float, float]:
    return mean_and_interval(distances - reference)


def _text(interval: tuple[float, float, float]) -> str:
    mean, low, high = interval
    return f"{mean:.2f} [{low:.2f}, {high:.2f}]"


def _draw(path: Path, results: Mapping[str, Recovered]) -> None:
    figure, axes = figures.subplots(len(results), height=3.4)
    names: Sequence[str] = list(METHODS)
    for axis, (title, one) in zip(np.atleast_1d(axes), results.items(), strict=True):
        for place, distances in enumerate(one.distances):
            if np.isnan(distances).any():
                continue
            mean, low, high = mean_and_interval(distances)
            colour = figures.ORANGE if place == 0 else figures.BLUE
            axis.errorbar(
                mean, place, xerr=[[mean - low], [high - mean]], fmt="o", color=colour, ms=5
            )
        axis.set_yticks(range(len(names)), names)
        axis.set_ylim(len(names) - 0.5, -0.5)  # the same rows in every panel, the first on top
        axis.grid(axis="x", color=figures.GREY, lw=0.4)
        axis.set(xlabel="distance to the truth", title=title)
        axis.label_outer()
    figures.save(figure, path)
