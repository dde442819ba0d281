"""How often the rule for the number of modes is right, on simulated posteriors with known modes.

python benchmarks/modes.py [runs]

Writes results/modes.md, and the table in docs/modes.md.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np

import fangs
from fangs.simulate import bars, posterior_like, sample_posterior

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "modes.md"
MOST = 4
ITEMS, FEATURES, DRAWS = 60, 5, 400


def moved(truth, n_entries, rng):
    """The same allocation with as many ones, half of `n_entries` taken away and half added."""
    other = truth.copy()
    for value in (1, 0):
        where = np.argwhere(truth == value)
        for i, j in where[rng.choice(len(where), size=n_entries // 2, replace=False)]:
            other[i, j] = 1 - value
    return other


def around(truths, sizes, seed, **settings):
    """Draws around each of the truths, as many as its size says."""
    draws = []
    for truth, size in zip(truths, sizes, strict=True):
        # One seed: the same entries are uncertain in all modes. Other draws: new noise.
        made = posterior_like(*truth.shape, sum(sizes), truth=truth, seed=seed, **settings)
        draws += made.draws[len(draws) : len(draws) + size]
    return draws


def one(seed, n_items=ITEMS, n_features=FEATURES, n_draws=DRAWS, **settings):
    settings = {"noise": 0.1} | settings
    return posterior_like(n_items, n_features, n_draws, seed=seed, **settings).draws


def planted(seed, ratio, shares=(0.5, 0.5), noise=0.1, n_draws=DRAWS):
    """Modes whose distance is `ratio` times the expected loss of a single one."""
    rng = np.random.default_rng(seed)
    first = posterior_like(ITEMS, FEATURES, n_draws, noise=noise, seed=seed)
    spread = fangs.expected_loss(first.truth, first.draws)
    apart = max(2, 2 * round(ratio * spread / 2))
    truths = [first.truth, *(moved(first.truth, apart, rng) for _ in shares[1:])]
    sizes = [round(share * n_draws) for share in shares]
    return around(truths, sizes, seed, noise=noise)


def growing(seed, noise=0.03):
    """One feature grows and shrinks: up to 30 more items join it, in a fixed order."""
    rng = np.random.default_rng(seed)
    made = posterior_like(ITEMS, FEATURES, DRAWS, noise=noise, seed=seed)
    feature = made.truth[:, [0]]
    others = rng.permutation(np.flatnonzero(feature == 0))[:30]
    for draw in made.draws:
        nearest = (draw != feature).sum(axis=0).argmin()
        draw[others[: rng.integers(len(others) + 1)], nearest] = 1
    return made.draws


def gibbs(seed, sigma_x, *, burn_in=100, thin=1, n_draws=DRAWS, n_chains=1):
    """Chains of the sampler that begin at the truth."""
    images = bars(ITEMS, sigma_x=sigma_x, seed=seed)
    found = sample_posterior(
        images.data, initial=images.matrix, sigma_x=sigma_x, sigma_a=1.0, alpha=1.0,
        n_draws=n_draws, burn_in=burn_in, thin=thin, n_chains=n_chains, seed=seed,
    )  # fmt: skip
    return found.draws


def long(seed, sigma_x):
    return gibbs(seed, sigma_x, burn_in=2000, thin=20)


def four_long(seed, sigma_x):
    return gibbs(seed, sigma_x, burn_in=2000, thin=32, n_draws=250, n_chains=4)


SCENARIOS = {
    "**one mode**": None,
    "clear entries, noise 0.03": (1, lambda s: one(s, noise=0.03)),
    "noise 0.1": (1, lambda s: one(s)),
    "noise 0.3": (1, lambda s: one(s, noise=0.3)),
    "features born, 1 a draw": (1, lambda s: one(s, births=1.0)),
    "features die, 10 %": (1, lambda s: one(s, deaths=0.1)),
    "features split, 10 %": (1, lambda s: one(s, splits=0.1)),
    "50 draws": (1, lambda s: one(s, n_draws=50)),
    "20 items, 3 features, noise 0.3": (1, lambda s: one(s, 20, 3, noise=0.3, births=1.8)),
    "a feature grows and shrinks": (1, growing),
    "the same, noise 0.1": (1, lambda s: growing(s, 0.1)),
    "the same, 200 draws": (1, lambda s: growing(s)[:200]),
    "the same, 100 draws": (1, lambda s: growing(s)[:100]),
    "the same, 50 draws": (1, lambda s: growing(s)[:50]),
    "bars, 400 sweeps": (1, lambda s: gibbs(s, 0.5)),
    "bars, every 20th of 8,000 sweeps": (1, lambda s: long(s, 0.5)),
    "blurred bars, every 20th of 8,000 sweeps": (None, lambda s: long(s, 0.7)),
    "blurred bars, 400 sweeps": (None, lambda s: gibbs(s, 0.7)),
    "**two modes, distance over spread**": None,
    "0.25": (2, lambda s: planted(s, 0.25)),
    "0.5": (2, lambda s: planted(s, 0.5)),
    "1": (2, lambda s: planted(s, 1)),
    "2": (2, lambda s: planted(s, 2)),
    "4": (2, lambda s: planted(s, 4)),
    "0.5, weights 0.75 and 0.25": (2, lambda s: planted(s, 0.5, (0.75, 0.25))),
    "1, weights 0.75 and 0.25": (2, lambda s: planted(s, 1, (0.75, 0.25))),
    "2, weights 0.75 and 0.25": (2, lambda s: planted(s, 2, (0.75, 0.25))),
    "1, weights 0.9 and 0.1": (2, lambda s: planted(s, 1, (0.9, 0.1))),
    "2, weights 0.9 and 0.1": (2, lambda s: planted(s, 2, (0.9, 0.1))),
    "4, weights 0.9 and 0.1": (2, lambda s: planted(s, 4, (0.9, 0.1))),
    "4, weights 0.95 and 0.05": (2, lambda s: planted(s, 4, (0.95, 0.05))),
    "1, noise 0.3": (2, lambda s: planted(s, 1, noise=0.3)),
    "2, noise 0.3": (2, lambda s: planted(s, 2, noise=0.3)),
    "2, 50 draws": (2, lambda s: planted(s, 2, n_draws=50)),
    "**more modes, distance over spread**": None,
    "three, 2": (3, lambda s: planted(s, 2, (0.5, 0.3, 0.2))),
    "three, 4": (3, lambda s: planted(s, 4, (0.4, 0.3, 0.3))),
    "four, 4": (4, lambda s: planted(s, 4, (0.25,) * 4)),
}


def number_of(draws, seed):
    """How many modes the rule finds."""
    return fangs.modes(draws, max_modes=MOST, seed=seed).n_modes


def line(name, true, found):
    """A line of the table: how often each number was found."""
    counts = Counter(found)
    right = "–" if true is None else f"{100 * counts[true] / len(found):.0f} %"
    numbers = " | ".join(str(counts[m]) if counts[m] else "·" for m in range(1, MOST + 1))
    return f"| {name} | {true or '?'} | {numbers} | {right} |"


def main(runs: int = 50) -> None:
    lines = [
        "| draws | true | found 1 | 2 | 3 | 4 | right |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, scenario in SCENARIOS.items():
        if scenario is None:
            lines.append(f"| {name} | | | | | | |")
            continue
        true, make = scenario
        found = [number_of(make(seed), seed) for seed in range(runs)]
        lines.append(line(name, true, found))
        print(lines[-1], flush=True)
        several = [seed for seed, number in enumerate(found) if number > 1]
        if true is None and several:
            again = [number_of(four_long(seed, 0.7), seed) for seed in several]
            lines.append(line(f"the {len(several)} with several, by four long chains", None, again))
            print(lines[-1], several, again, flush=True)
    table = "\n".join(lines) + "\n"
    (HERE / "results" / "modes.md").write_text(table, encoding="utf-8")
    place = re.compile(r"(<!-- begin rule -->\n).*?(<!-- end rule -->)", re.S)
    page = PAGE.read_text("utf-8")
    PAGE.write_text(place.sub(lambda at: f"{at[1]}\n{table}\n{at[2]}", page), encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
