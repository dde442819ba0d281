"""How often is the estimate the global optimum? Measured where every matrix can be tried.

    python benchmarks/exhaustive.py [problems per line]

Each line of the table is many problems of one kind: draws scattered around one truth by flipping
a share of its entries, or draws that have nothing to do with each other. `optimal`: the estimate
has the lowest expected loss of all matrices. `excess`: by how much it misses, in per cent of the
optimum. `worse than a draw`: the best draw would have been a better estimate. The paper's search
(`n_iter=1000`) is compared with the default.
"""

import sys
from pathlib import Path

import numpy as np

import fangs
from report import publish
from report import table as report_table

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from oracles.enumeration import Enumeration

# Items, features of a draw at most, draws, a. Numbers of draws are powers of two and a is a
# multiple of 1/8, so that every loss is an exact float and "equal" means equal.
PROBLEMS = [
    (3, 2, 4, 1.0),
    (3, 2, 32, 1.0),
    (3, 3, 8, 1.0),
    (4, 2, 8, 0.75),
    (4, 2, 8, 1.0),
    (4, 2, 8, 1.5),
    (4, 2, 64, 1.0),
    (5, 2, 16, 1.0),
]
KINDS = {
    "10 % flipped": lambda table, rng, n_draws: table.noisy_problem(rng, n_draws, noise=0.1),
    "30 % flipped": lambda table, rng, n_draws: table.noisy_problem(rng, n_draws, noise=0.3),
    "unrelated": lambda table, rng, n_draws: table.uniform_problem(rng, n_draws),
}
SEARCHES = {"default": None, "paper": 1000}


def measure(table, make_problem, n_draws, a, n_iter, n_problems):
    """Return how many problems were solved to the optimum, how far off, and worse than a draw."""
    rng = np.random.default_rng(n_draws)
    excess, worse = np.zeros(n_problems), 0
    for p in range(n_problems):
        chosen = make_problem(table, rng, n_draws)
        draws = [table.draws[b] for b in chosen]
        loss = fangs.estimate(draws, a=a, n_iter=n_iter, seed=p, n_threads=1).expected_loss
        best = table.best_loss(chosen, a)
        if loss < best:
            raise AssertionError(f"{loss} is below the optimum {best}: {draws}")
        excess[p] = loss / best - 1 if best else float(loss > 0)
        worse += loss > table.best_draw_loss(chosen, a)
    return excess, worse


def main(n_problems):
    names = ("items, features, draws, a", "kind", "search", "optimal", "mean excess", "max excess")
    rows, missed, tables, optimal = [], [], {}, {search: 0 for search in SEARCHES}
    for n_items, features, n_draws, a in PROBLEMS:
        width = int(2 * features / a)
        size = (n_items, features, width)
        if size not in tables:
            tables[size] = Enumeration(*size)
        for kind, make_problem in KINDS.items():
            for search, n_iter in SEARCHES.items():
                excess, worse = measure(tables[size], make_problem, n_draws, a, n_iter, n_problems)
                optimal[search] += np.count_nonzero(excess == 0)
                rows.append(
                    (
                        f"{n_items}, {features}, {n_draws}, {a}",
                        *(kind, search, f"{(excess == 0).mean():.1%}"),
                        *(f"{excess.mean():.2%}", f"{excess.max():.1%}"),
                        f"{worse / n_problems:.1%}",
                    )
                )
                if excess.any():
                    missed.append(rows[-1])
                print(*rows[-1], sep="  ", flush=True)
    total = n_problems * len(PROBLEMS) * len(KINDS)
    summary = "; ".join(f"{search}: {count} of {total}" for search, count in optimal.items())
    about = f"{n_problems} problems a line; solved to the optimum in all, {summary}."
    head = (*names, "worse than a draw")
    publish(
        "exhaustive",
        f"{about}\n\n{report_table(head, rows)}",
        shown=f"{about} The table shows the lines, {len(missed)} of {len(rows)}, in which a search "
        "missed some optimum; `benchmarks/results/exhaustive.md` has all.\n\n"
        + report_table(head, missed),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
