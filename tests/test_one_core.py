"""With n_threads=1 a function uses one core: no other thread of the process does any work.

NumPy's linear algebra has threads of its own, which its own variables limit; here they are off.
"""

import inspect
import json
import os
import subprocess
import sys

import pytest

import fangs

PROGRAM = """
import json, tempfile, time, warnings
import numpy as np
import fangs
warnings.simplefilter("ignore")

rng = np.random.default_rng(8)
truth = rng.random((2000, 20)) < 0.3
draws = [(truth ^ (rng.random(truth.shape) < 0.2)).astype(np.uint8) for _ in range(600)]
samples = fangs.Samples(draws, chains=np.arange(600) % 3)
found = fangs.assess(truth, samples)
some = fangs.Samples([draw[:60, :6] for draw in draws[:200]], chains=np.arange(200) % 3)
of_some = fangs.estimate(some, seed=1, n_threads=1)
tiny = fangs.Samples([draw[:6, :2] for draw in draws[:50]])
page = tempfile.mkdtemp() + "/page.html"
CALLS = {
    "Estimate.describe": lambda **n: of_some.describe(some, **n),
    "Estimate.report": lambda **n: of_some.report(page, some, effort="quick", **n),
    "align": lambda **n: fangs.align(found, samples, **n).draws(),
    "assess": lambda **n: fangs.assess(truth, samples, **n),
    "certify": lambda **n: fangs.certify(of_some, some, max_seconds=0.3, **n),
    "choose_a": lambda **n: fangs.choose_a(some, n_features=4, seed=1, **n),
    "compare": lambda **n: fangs.compare(some, methods=["draws", "consensus"], **n),
    "compare_chains": lambda **n: fangs.compare_chains(some, seed=1, **n),
    "core": lambda **n: fangs.core(of_some, some, **n),
    "credible_ball": lambda **n: fangs.credible_ball(found, samples, **n),
    "distributed.shard": lambda **n: fangs.estimate(
        fangs.distributed.shard(some, n_shards=2, **n), seed=1),
    "estimate": lambda **n: fangs.estimate(samples, seed=1, **n),
    "expected_loss": lambda **n: fangs.expected_loss(truth, samples, **n),
    "flip_optimal_interval": lambda **n: fangs.flip_optimal_interval(found, samples, **n),
    "lower_bound": lambda **n: fangs.lower_bound(samples, estimate=found, max_seconds=0.3, **n),
    "modes": lambda **n: fangs.modes(some, n_modes=2, seed=1, **n),
    "plot.map": lambda **n: fangs.plot.map(some, **n),
    "simulate.sample_posterior": lambda **n: fangs.simulate.sample_posterior(
        rng.normal(size=(40, 6)), n_draws=200, n_chains=2, seed=1, **n),
    "held_out_loss": lambda **n: fangs.held_out_loss(some, seed=1, **n),
    "stability": lambda **n: fangs.stability(of_some, some, n=5, seed=1, **n),
    "sparsity_path": lambda **n: fangs.sparsity_path(some, a=[0.5, 1.0], seed=1, **n),
    "summary": lambda **n: fangs.summary(found, samples, **n),
    "typicality": lambda **n: fangs.typicality(truth, samples, estimate=found, **n),
    "alternatives.exhaustive": lambda **n: fangs.alternatives.exhaustive(tiny, **n),
}
for name in ("consensus", "deterministic", "double_greedy", "draws", "map", "modal_hamming",
             "pairwise", "sequential"):
    method = getattr(fangs.alternatives, name)
    CALLS["alternatives." + name] = lambda method=method, **n: method(some, **n)


def spent(name, n_threads):
    # Processor time of the main thread and of all others in a tenth of a second.
    everything, main = time.process_time(), time.thread_time()
    until = time.perf_counter() + 0.1
    while time.perf_counter() < until:
        CALLS[name](n_threads=n_threads)
    main = time.thread_time() - main
    return main, time.process_time() - everything - main

passes = []
for name in CALLS:
    CALLS[name](n_threads=1)  # imports
    passes.append((name, 1, [spent(name, 1)]))
    while min(passes[-1][2][-1]) > 0.003 and len(passes[-1][2]) < 5:  # something was in the way
        passes[-1][2].append(spent(name, 1))
for name in ("estimate", "align", "assess", "summary", "credible_ball", "expected_loss"):
    passes.append((name, 2, [spent(name, 2)]))
print(json.dumps(passes))
"""


@pytest.fixture(scope="module")
def spent():
    """Seconds of the main thread and of all others, by function and number of threads.

    Whatever else the machine does can only add to the seconds of the others, so with one thread
    the least of up to five passes counts.
    """
    variables = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
        env={**os.environ, **dict.fromkeys(variables, "1")},
    )
    return {(name, n): passes for name, n, passes in json.loads(done.stdout)}


def functions_with_threads():
    """Names of all public functions and methods that take n_threads."""
    for folder in ("", "alternatives", "datasets", "distributed", "plot", "simulate"):
        module = getattr(fangs, folder) if folder else fangs
        for name in module.__all__:
            value = getattr(module, name)
            inner = inspect.getmembers(value) if inspect.isclass(value) else [("", value)]
            for attribute, function in inner:
                if not attribute.startswith("_") and callable(function) and takes(function):
                    yield ".".join(filter(None, (folder, name, attribute)))


def takes(function):
    try:
        return "n_threads" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


OTHER_THREAD = {"simulate.sample_posterior"}
"""Its chains run in a pool, of one thread here, so that Ctrl-C is obeyed meanwhile."""


def test_one_thread_means_one_core(spent):
    assert {name for name, _ in spent} == set(functions_with_threads())
    for (name, n_threads), passes in spent.items():
        if n_threads == 1:
            which = 0 if name in OTHER_THREAD else 1
            least = min(passes, key=lambda one: one[which])
            assert least[which] <= 0.005 + 0.02 * sum(least), (name, passes)


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_two_threads_are_used(spent):
    """So that the test above would see them."""
    others = [passes[0][1] for (_, n_threads), passes in spent.items() if n_threads == 2]
    assert sum(seconds > 0.005 for seconds in others) >= 3
