"""Do estimates say it where chains are in different modes, and only there?

python benchmarks/chains.py [runs] [folder]

Writes results/chains.md, and the tables in docs/chains.md. Without the folder of posteriors made by
others (see study/real.py), their lines stay as they are.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zipfile
from pathlib import Path
from time import process_time

import numpy as np

import fangs
from fangs.engine import as_engine
from fangs.simulate import bars, sample_posterior

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "chains.md"
RESULT = HERE / "results" / "chains.md"
RUNS, THREADS = 500, 1
TRUTH = (np.random.default_rng(5).random((30, 4)) < 0.4).astype(np.uint8)


def in_parts(draws, n_chains):
    """Draws as so many chains of equal length, one after the other."""
    draws = list(draws)
    return fangs.Samples(draws, chains=np.arange(len(draws)) * n_chains // len(draws))


def sticky(n_chains, n_draws, *, stay, noise=0.15, modes=(TRUTH,), seed=0):
    """Autocorrelated chains: from draw to draw, an error is kept with probability `stay`."""
    rng = np.random.default_rng(seed)
    draws = []
    for chain in range(n_chains):
        mode = modes[chain % len(modes)]
        errors = rng.random(mode.shape) < noise
        for _ in range(n_draws):
            renewed = rng.random(mode.shape) > stay
            errors = np.where(renewed, rng.random(mode.shape) < noise, errors)
            draws.append((mode ^ errors).astype(np.uint8))
    return in_parts(draws, n_chains)


def moved(n_entries, seed=0):
    """The truth with so many entries changed, half of them taken away."""
    rng, other = np.random.default_rng(seed), TRUTH.copy()
    for value, size in ((1, n_entries // 2), (0, n_entries - n_entries // 2)):
        where = np.argwhere(other == value)
        for i, j in where[rng.choice(len(where), size=size, replace=False)]:
            other[i, j] = 1 - value
    return other


def switching(n_chains, n_draws, *, mean_visit, seed=0):
    """Every chain moves between two modes that are 20 entries apart."""
    rng, modes = np.random.default_rng(seed), (TRUTH, moved(20))
    draws = []
    for _ in range(n_chains):
        mode = rng.integers(2)
        for _ in range(n_draws):
            mode = 1 - mode if rng.random() < 1 / mean_visit else mode
            draws.append((modes[mode] ^ (rng.random(TRUTH.shape) < 0.05)).astype(np.uint8))
    return in_parts(draws, n_chains)


def pymc_model(n_chains=4, n_draws=1000, tune=1000, n_features=6, seed=1):
    """The model of docs/bring/pymc.md for the arrests, by a plain Gibbs sampler in NumPy."""
    data = fangs.datasets.arrest_rates().standardised()
    chains = [_gibbs(data, n_draws, tune, n_features, seed + c) for c in range(n_chains)]
    return fangs.Samples.from_chains(chains)


def _gibbs(x, n_draws, tune, k, seed):
    rng = np.random.default_rng(seed)
    (n, d), alpha, sigma = x.shape, 1.0, 1.0
    z, a, kept = (rng.random((n, k)) < 0.5).astype(float), rng.normal(size=(k, d)), []
    for step in range(tune + n_draws):
        share = rng.beta(alpha / k + z.sum(axis=0), 1 + n - z.sum(axis=0)).clip(1e-9, 1 - 1e-9)
        for j in range(k):  # items are independent, given the features' values
            rest = x - z @ a + np.outer(z[:, j], a[j])
            gain = (rest @ a[j] - a[j] @ a[j] / 2) / sigma**2
            odds = gain + np.log(share[j] / (1 - share[j]))
            z[:, j] = rng.random(n) < 1 / (1 + np.exp(-odds.clip(-50, 50)))
        precision = z.T @ z / sigma**2 + np.eye(k)
        root = np.linalg.cholesky(np.linalg.inv(precision))
        a = np.linalg.solve(precision, z.T @ x / sigma**2) + root @ rng.normal(size=(k, d))
        alpha = _step(alpha, lambda v, s=share: np.log(v) - v + _log_shares(v, s), rng)
        errors = ((x - z @ a) ** 2).sum()
        sigma = _step(sigma, lambda v, e=errors: -v * v / 2 - n * d * np.log(v) - e / v**2 / 2, rng)
        if step >= tune:
            kept.append(z.astype(np.uint8))
    return kept


def _log_shares(alpha, share):
    k = len(share)
    return k * np.log(alpha / k) + (alpha / k - 1) * np.log(share).sum()


def _step(value, log_density, rng):
    """A Metropolis step on the log scale."""
    new = value * np.exp(0.3 * rng.normal())
    ratio = log_density(new) - log_density(value) + np.log(new / value)
    return new if np.log(rng.random()) < ratio else value


def sampled(seed, *, sigma_x, n_chains=4, n_draws=250, from_truth=True, **settings):
    """Chains of the collapsed sampler on images, from the truth or from nothing."""
    images = bars(60, sigma_x=sigma_x, seed=seed)
    initial = {"initial": images.matrix} if from_truth else {}
    found = sample_posterior(
        images.data, sigma_x=sigma_x, sigma_a=1.0, alpha=1.0, n_draws=n_draws, burn_in=100,
        n_chains=n_chains, seed=seed, **initial, **settings,
    )  # fmt: skip
    return found.samples()


def weighted(seed=0):
    """Three chains that agree and one stuck chain; weights make every second draw count double."""
    samples = sticky(4, 100, stay=0.5, modes=(TRUTH, TRUTH, TRUTH, moved(20)), seed=seed)
    return fangs.Samples(samples, weights=1 + np.arange(400) % 2)


def simulated():
    """Name, and draws whose chains agree or not as the name says."""
    yield "`datasets.example()`: one chain stuck", fangs.datasets.example()
    yield "`datasets.arrests()`", fangs.datasets.arrests()
    yield "the PyMC model of these pages", pymc_model()
    for entries in (40, 8, 4, 2, 1):
        modes = (TRUTH, TRUTH, TRUTH, moved(entries))
        name = f"one of four chains stuck, {entries} {'entries' if entries > 1 else 'entry'} away"
        yield name, sticky(4, 250, stay=0.5, noise=0.05, modes=modes)
    extra = np.hstack([TRUTH, np.eye(30, 1, dtype=np.uint8) + np.eye(30, 1, -7, dtype=np.uint8)])
    modes = (TRUTH, TRUTH, TRUTH, extra)
    yield "one of four has one more feature, of two items", _ragged(modes)
    yield (
        "every chain in a mode of its own",
        sticky(4, 250, stay=0.5, modes=[moved(30, s) for s in range(4)]),
    )
    yield "two modes, each visited for 5 draws", switching(4, 250, mean_visit=5)
    yield "two modes, each visited for 500 draws", switching(4, 250, mean_visit=500, seed=3)
    yield "chains of 12 draws that agree", sticky(4, 12, stay=0.0)
    yield (
        "chains of 12 draws, one stuck",
        sticky(4, 12, stay=0.0, modes=(TRUTH,) * 3 + (moved(40),)),
    )
    yield "weights, one chain stuck", weighted()
    yield "one chain", sticky(1, 250, stay=0.5)
    for sigma_x in (0.3, 0.6):
        yield f"collapsed sampler from the truth, noise {sigma_x}", sampled(1, sigma_x=sigma_x)
        yield (
            f"collapsed sampler from nothing, noise {sigma_x}",
            sampled(1, sigma_x=sigma_x, from_truth=False),
        )


def _ragged(modes, n_draws=250, noise=0.03):
    rng = np.random.default_rng(1)
    draws = [
        mode ^ (rng.random(mode.shape) < noise).astype(np.uint8)
        for mode in modes
        for _ in range(n_draws)
    ]
    return in_parts(draws, len(modes))


REAL = {
    "samplesFA": ("samplesFA.RData", "samplesFA"),
    "AIBD, n = 10": ("out.10.1000.*.RData", "samplesAIBD"),
    "IBP, n = 10": ("out.10.1000.*.RData", "samplesIBP"),
    "AIBD, n = 30": ("out.30.1000.*.RData", "samplesAIBD"),
    "IBP, n = 30": ("out.30.1000.*.RData", "samplesIBP"),
    "USArrests": ("USArrests*.RData", None),
    "discode, burn-in included": ("chain_ibp_1000.mat", "chain.Z(draw, item, feature)"),
}


def real(folder):
    """Name, and draws of others: single chains cut into parts, and runs of several chains."""
    for name, (pattern, variable) in REAL.items():
        (path,) = sorted(folder.glob(pattern))
        for parts in (2, 4):
            yield (
                f"{name}, {parts} parts of one chain",
                in_parts(fangs.read(path, variable=variable), parts),
            )
    truth = np.load(folder / "mcmc" / "truth.npz")
    for name in ("jags", "r2jags"):
        yield f"tiny model, {name}, 2 chains", fangs.Samples.from_chains(list(truth[name]))
    for run in ("example", "sim"):
        chains = [_phylowgs(folder / "phylowgs" / f"{run}.chain{c}") for c in (0, 1)]
        yield f"PhyloWGS, {run}, 2 chains", fangs.Samples.from_chains(chains)


def _phylowgs(stem):
    """Mutations by clones: a mutation is in the clone where it arises and in all that descend."""
    with gzip.open(f"{stem}.summ.json.gz") as file:
        trees = json.load(file)["trees"]
    draws = []
    with zipfile.ZipFile(f"{stem}.mutass.zip") as archive:
        for number in sorted(trees, key=int):
            own = json.loads(archive.read(f"{number}.json"))["mut_assignments"]
            below = {str(p): list(map(str, c)) for p, c in trees[number]["structure"].items()}
            draws.append((own, below))
    names = sorted({m for own, _ in draws for clone in own.values() for m in _mutations(clone)})
    place = {name: i for i, name in enumerate(names)}
    return [_clones(own, below, place) for own, below in draws]


def _mutations(clone):
    return [*clone["ssms"], *clone["cnvs"]]


def _clones(own, below, place):
    matrix = {clone: np.zeros(len(place), dtype=np.uint8) for clone in own}

    def visit(clone, inherited):
        held = [*inherited, *(place[m] for m in _mutations(own[clone]))] if clone in own else []
        if clone in own:
            matrix[clone][held] = 1
        for child in below.get(clone, ()):
            visit(child, held)

    visit("0", [])
    return np.column_stack(list(matrix.values()))


def thorough(samples):
    """Largest separation with a search in each first half, judged by all of the second half.

    Plain code for what estimates do with a template and at most 64 draws of each half.
    """
    engine = as_engine(samples, THREADS)
    chains = [np.flatnonzero(samples.chains == c) for c in engine.samples_info.chain_names]
    halves = [np.split(draws, [len(draws) // 2]) for draws in chains]
    found = [
        fangs.estimate(samples.select(first), seed=0, n_threads=THREADS) for first, _ in halves
    ]
    score = [int(e.matrix.sum()) - 2 * engine.overlaps(e.matrix) for e in found]
    own = np.full((len(chains), len(chains)), 0.5)
    for i, (_, second) in enumerate(halves):
        for j in range(len(chains)):
            own[i, j] = np.mean(1 + np.sign(score[j][second] - score[i][second])) / 2
    return float(((own + own.T) / 2).max())


def line(name, samples):
    """A line of the table of sets."""
    began = process_time()
    estimate = fangs.estimate(samples, seed=1, n_threads=THREADS)
    took = process_time() - began
    alone = fangs.Samples(list(samples), weights=samples.weights)
    began = process_time()
    fangs.estimate(alone, seed=1, n_threads=THREADS)
    without = process_time() - began
    n_chains = len(samples.info.chain_names)
    if n_chains < 2:
        return [name, str(len(samples)), str(n_chains), "–", "–", "refused", "no"]
    verdict = fangs.compare_chains(samples, estimate=estimate, seed=1, n_threads=THREADS)
    words = "apart" if verdict.apart else "agree" if verdict.agree else "not converged"
    said = "in different modes" in str(estimate).replace("\n  ", " ")
    shown = "in different modes" in estimate._repr_html_().replace("\u00a0", " ")
    assert said == shown == ("in different modes" in estimate.note) == bool(verdict.apart), name
    largest = f"{verdict.separation.max():.2f}"
    print(f"{name:55} {largest} {words:14} {1e3 * took:.1f} ms, {1e3 * without:.1f} without chains")
    sizes = [str(len(samples)), str(n_chains), f"{thorough(samples):.2f}"]
    return [name, *sizes, largest, words, "yes" if said else "no"]


def alarms(runs):
    """Of chains that agree, how many sets have any two called apart: by length and stickiness."""
    for stay in (0.0, 0.5, 0.8, 0.9):
        for n_draws in (12, 25, 50, 100, 250, 1000):
            times = min(runs, 200) if n_draws == 1000 else runs
            effective = n_draws * (1 - stay) / (1 + stay)
            called = 0
            for seed in range(times):
                samples = sticky(4, n_draws, stay=stay, seed=seed)
                separation = as_engine(samples, THREADS).chain_separation
                called += bool(separation.apart)
            row = [f"{stay:g}", str(n_draws), f"{effective:.0f}", str(times), str(called)]
            row.append(f"{100 * called / times:.1f} %")
            print(*row, flush=True)
            yield row


SETS = ["Set", "Draws", "Chains", "Thorough", "Separation", "`compare_chains`", "Estimate warns"]
ALARMS = ["Autocorrelation", "Draws in a chain", "Effective", "Sets", "Called apart", "Share"]


def table(header, rows):
    """A table of Markdown."""
    lines = [header, [":--", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def put(page, name, text):
    """Put text between the two comments of that name."""
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    found, n = re.subn(pattern, lambda m: m[1] + "\n" + text + "\n\n" + m[2], page, flags=re.S)
    assert n == 1, name
    return found


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    parts = {"sets": table(SETS, [line(*one) for one in simulated()])}
    if len(sys.argv) > 2:
        parts["real"] = table(SETS, [line(*one) for one in real(Path(sys.argv[2]))])
    parts["alarms"] = table(ALARMS, list(alarms(runs)))
    RESULT.write_text("\n\n".join(parts.values()) + "\n")
    page = PAGE.read_text()
    for name, text in parts.items():
        page = put(page, name, text)
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
