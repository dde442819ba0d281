"""What each part of the default search buys: the search without it, compared with the whole.

    [REAL=../shared/real] python benchmarks/ablation.py

Diffuse posteriors are those of `real.py`, where the folder is given: how often the lowest known
loss is reached over ten sets, three penalties and five seeds. The widest case study shows the loss
where draws have many features, and the four smaller ones the time where features are clear.
"""

import os
import statistics
import sys
from pathlib import Path
from time import process_time

import fangs
import real
from fangs.engine import ThreadedEngine
from fangs.search import SearchParams, run_search
from fangs.search.record import SearchSettings
from report import publish, table

sys.path.insert(0, str(Path(__file__).parent.parent))

from study.draws import make

WIDEST = "alzheimers"
PENALTIES = (0.1, 0.5, 1.0, 1.9)
EVERYTHING = 10**9
VARIANTS = {
    "the whole search": SearchParams(),
    "tabu walks": SearchParams(final_tries=()),
    "penalty shifts": SearchParams(subsample_tries=()),
    "the second end": SearchParams(n_final=1),
    "giving walks up early": SearchParams(max_ascents=EVERYTHING),
    "making no more starts when they repeat": SearchParams(max_repeats=EVERYTHING),
    "the subsample of draws": SearchParams(
        subsample_draws=EVERYTHING, wide_subsample_draws=EVERYTHING
    ),
    "a larger subsample away from a = 1": SearchParams(deciding_draws=1),
}


def run(samples, a, params, seeds):
    """Losses over seeds, and the CPU time of all."""
    engine, began = ThreadedEngine(samples, 2), process_time()
    found = [run_search(engine, a, SearchSettings(seed=seed), params=params) for seed in seeds]
    return [each.expected_loss for each in found], process_time() - began


def main():
    small = [make(name).samples for name in fangs.simulate.CASE_STUDIES if name != WIDEST]
    widest = make(WIDEST).samples
    folder = os.environ.get("REAL")
    diffuse = {name: fangs.Samples(real.read(Path(folder), name)) for name in real.SETS if folder}
    rows, whole = [], None
    for part, params in VARIANTS.items():
        hits = runs = diffuse_time = 0
        for name, samples in diffuse.items():
            for a, lowest in zip(real.PENALTIES, real.SETS[name][2], strict=True):
                losses, taken = run(samples, a, params, range(5))
                hits += sum(loss <= lowest + 0.001 for loss in losses)
                runs, diffuse_time = runs + len(losses), diffuse_time + taken
        results = [run(widest, a, params, range(1, 4)) for a in PENALTIES]
        losses = [statistics.mean(each) for each, _ in results]
        wide_time = sum(taken for _, taken in results)
        small_time = sum(run(samples, 1.0, params, range(1, 11))[1] for samples in small)
        figures = (losses, diffuse_time, wide_time, small_time)
        whole = whole or figures
        row = [part if params == SearchParams() else f"without {part}"]
        if diffuse:
            row += [f"{hits} of {runs}", f"{diffuse_time / whole[1]:.2f}"]
        row += [f"{loss / own - 1:+.2%}" for loss, own in zip(losses, whole[0], strict=True)]
        row += [f"{wide_time / whole[2]:.2f}", f"{small_time / whole[3]:.2f}"]
        rows.append(row)
        print(*row, sep="  ", flush=True)
    header = ["", *(["diffuse: lowest reached", "time"] if diffuse else [])]
    header += [*(f"widest: loss, a = {a:g}" for a in PENALTIES), "time", "clear: time"]
    publish("ablation", table(header, rows))


if __name__ == "__main__":
    main()
