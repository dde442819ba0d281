"""How far column generation gets: bounds, proofs and times, and how good each method is.

    python benchmarks/certificates.py                  # bundled and simulated draws
    REAL=folder python benchmarks/certificates.py      # also the sets of study/real.py
    ONLY=30 REAL=folder python benchmarks/certificates.py   # sets with "30" in their names

Writes benchmarks/results/certificates.md. A row is one set of draws at one penalty. The last three
columns say by how many per cent the loss of a method exceeds the proved optimum; they are empty
where there is no proof.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

import fangs
from fangs.alternatives.registry import METHODS
from fangs.simulate import bars, case_study, posterior_like, sample_posterior

sys.path.insert(0, str(Path(__file__).parent.parent))
from study import real

PENALTIES = (0.5, 1.0, 1.5)
SECONDS = float(os.environ.get("SECONDS_EACH", "60"))
RESULTS = Path(__file__).parent / "results" / "certificates.md"


def all_draws():
    if "REAL" in os.environ:
        for source in real.SOURCES.values():
            yield source.title, lambda source=source: real.read(Path(os.environ["REAL"]), source)
    example = fangs.datasets.example()
    yield "example, all chains", lambda: example
    yield "example, three chains", lambda: example.select(np.flatnonzero(example.chains < 3))
    for n_items, n_features in ((40, 4), (60, 5), (100, 6)):
        yield (
            f"simulated, noise 0.15, n={n_items}, K={n_features}",
            lambda n=n_items, k=n_features: fangs.Samples(
                posterior_like(n, k, 300, noise=0.15, births=0.2, seed=1).draws
            ),
        )
    for n_items in (40, 100):
        for name, sigma_x in (("bars", 0.5), ("blurred bars", 0.7)):
            yield f"{name}, n={n_items}", lambda n=n_items, s=sigma_x: bars_posterior(n, s)
    yield "simulated, widest case study", lambda: fangs.Samples(case_study("alzheimers").draws)


def bars_posterior(n_items, sigma_x):
    """Draws of a sampler for the linear-Gaussian model of images that are sums of bars."""
    images = bars(n_items, sigma_x=sigma_x, seed=1)
    found = sample_posterior(
        images.data, initial=images.matrix, sigma_x=sigma_x, sigma_a=1.0, alpha=1.0,
        n_draws=300, burn_in=500, thin=10, seed=1,
    )  # fmt: skip
    return fangs.Samples(found.draws)


def excess(loss, optimum):
    return "" if optimum is None else f"{100 * (loss / optimum - 1):.2f}" if optimum else "0.00"


def row(name, samples, a):
    began = time.perf_counter()
    found = fangs.estimate(samples, a=a, seed=1)
    searched = time.perf_counter() - began
    began = time.perf_counter()
    certificate = fangs.certify(found, samples, max_seconds=SECONDS)
    seconds = time.perf_counter() - began
    best = certificate.better or found
    proved = certificate.is_global_optimum or best.lower_bound == best.expected_loss
    optimum = best.expected_loss if proved else None
    draw = METHODS["draws"].function(samples, a=a)
    published = METHODS["fangs"].function(samples, a=a, seed=1)
    simple = max(
        certificate.bounds[m] for m in ("items", "pairs", "dual") if m in certificate.bounds
    )
    percent = 100 / best.expected_loss if best.expected_loss else 0
    cells = [
        name,
        f"{samples.n_items}, {len(samples)}",
        f"{a:g}",
        f"{best.expected_loss:.6g}",
        f"{percent * simple:.1f}",
        f"{percent * certificate.lower_bound:.2f}",
        "proved" if proved else certificate.stopped_because,
        certificate.method,
        str(certificate.n_columns),
        f"{searched:.2f}",
        f"{seconds:.1f}",
        excess(draw.expected_loss, optimum),
        excess(published.expected_loss, optimum),
        excess(found.expected_loss, optimum),
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    head = [
        "draws",
        "n, B",
        "a",
        "loss",
        "other bounds, %",
        "bound, %",
        "verdict",
        "by",
        "columns",
        "search, s",
        "proof, s",
        "best draw, % above",
        "FANGS as published",
        "default",
    ]
    lines = [
        "# Certificates",
        "",
        f"At most {SECONDS:g} s each; bounds in per cent of the lowest loss known.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
    ]
    for name, make in all_draws():
        if os.environ.get("ONLY", "") not in name:
            continue
        samples = make()
        for a in PENALTIES:
            lines.append(row(name, samples, a))
            print(lines[-1], flush=True)
            RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
