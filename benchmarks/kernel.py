"""The core's passes and SciPy's solver, per draw and on one core, in one run.

    python benchmarks/kernel.py

One alignment finds the best matching of every draw with an allocation. "With all flips" also finds
the exact effect of every one of its n * K single flips, in the same pass. The targets are those the
project set itself.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

import fangs
from fangs.engine import ThreadedEngine
from report import publish, seconds, table, times
from stopwatch import measure, measure_in_turn


def solvers(draws, allocation):
    """Name what a user could align the draws with instead; each entry aligns all of them."""
    columns = [draw.astype(np.float32) for draw in draws]
    rows = np.ascontiguousarray(allocation.T, dtype=np.float32)
    overlaps = [rows @ draw for draw in columns]

    def scipy_with_product():
        for draw in columns:
            linear_sum_assignment(rows @ draw, maximize=True)

    def scipy_alone():
        for overlap in overlaps:
            linear_sum_assignment(overlap, maximize=True)

    yield "scipy, product and linear_sum_assignment", scipy_with_product
    yield "scipy, linear_sum_assignment alone", scipy_alone
    try:
        from lap import lapjv
    except ImportError:
        print("lapx is not installed (pip install lapx): its line is left out")
        return
    costs = [-overlap.astype(np.float64) for overlap in overlaps]

    def lapx_alone():
        for cost in costs:
            lapjv(cost, extend_cost=True, return_cost=False)

    yield "lapx, lapjv alone", lapx_alone


def main():
    draws = fangs.simulate.posterior_like(
        62, 70, 3000, density=0.065, noise=0.16, births=4.0, deaths=0.08, splits=0.03, seed=0
    ).draws
    samples = fangs.Samples(draws)
    engine = ThreadedEngine(samples, n_threads=1)
    allocation = fangs.estimate(samples, seed=1, n_sweet=1).matrix
    nearby = engine.neighbourhood(allocation)
    rng = np.random.default_rng(0)

    def flip_one():
        nearby.flip(int(rng.integers(62)), int(rng.integers(allocation.shape[1])))

    names, works = zip(*solvers(draws, allocation), strict=True)
    align, *others = measure_in_turn(lambda: engine.align(allocation), *works)
    align = min(align.best, measure(lambda: engine.align(allocation), budget=2).best)
    evaluate = measure(lambda: engine.evaluate(allocation), budget=2).best
    flip = measure(flip_one, budget=2).median
    solve = measure(lambda: engine.neighbourhood(allocation), budget=2).best
    pack = measure(lambda: fangs.Samples(draws), budget=2).best

    def line(name, time):
        return name, f"{time / len(draws) * 1e6:.2f}", times(time / align)

    rows = [
        line("fangs, one alignment", align),
        *(line(name, other.best) for name, other in zip(names, others, strict=True)),
        line(f"fangs, one alignment with all {allocation.size} flips", evaluate),
        line("fangs, one flip with repair", flip),
        line("fangs, matching kept for flips (search state)", solve),
        line("fangs, packing from a list of arrays", pack),
    ]
    scipy = others[1].best
    targets = {
        f"scipy's solver at least 8 times slower ({times(scipy / align)})": scipy >= 8 * align,
        "an alignment with all flips at most 5 times one without "
        f"({times(evaluate / align)})": evaluate <= 5 * align,
    }
    publish(
        "kernel",
        f"{len(draws)} draws of 62 items and {samples.n_features.mean():.0f} features on average, "
        f"aligned to {allocation.shape[1]} features; one core, best of several runs.\n\n"
        + table(("work", "µs per draw", "compared with one alignment"), rows)
        + "\n\nTargets: "
        + "; ".join(f"{text}: {'met' if met else 'missed'}" for text, met in targets.items())
        + f". Packing takes {seconds(pack)} for all draws.",
    )


if __name__ == "__main__":
    main()
