"""Posterior draws of the linear-Gaussian feature model: chains of the collapsed Gibbs sampler."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fangs._sampler import GibbsChain
from fangs.check.arguments import as_count, as_threads
from fangs.simulate.priors import AIBD, IBP
from fangs.simulate.validate import as_data, as_features, as_positive

if TYPE_CHECKING:
    from fangs.draws.samples import Samples

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Gamma:
    """A Gamma(shape, rate) prior for a positive number, with mean shape / rate.

    Parameters
    ----------
    shape, rate
        Both positive.

    Examples
    --------
    >>> Gamma(2.0, 4.0).mean
    0.5
    """

    shape: float
    rate: float

    def __post_init__(self) -> None:
        as_positive(self.shape, "shape")
        as_positive(self.rate, "rate")

    @property
    def mean(self) -> float:
        """Its expectation."""
        return self.shape / self.rate


UNIT_MASS = Gamma(1.0, 1.0)
UNIT_SCALE = Gamma(2.0, 2.0)


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """Posterior draws, chain after chain.

    Attributes
    ----------
    draws
        One (n_items, K_b) allocation per draw, columns in arbitrary order.
    chains
        (B,): the chain each draw comes from.
    alpha
        (B,): mass of the prior.
    sigma_x
        (B,): standard deviation of the noise.
    sigma_a
        (B,): standard deviation of the loadings.
    log_likelihood
        (B,): of the data given the draw and its scales, loadings integrated out.
    """

    draws: list[NDArray[np.uint8]]
    chains: NDArray[np.intp]
    alpha: NDArray[np.float64]
    sigma_x: NDArray[np.float64]
    sigma_a: NDArray[np.float64]
    log_likelihood: NDArray[np.float64]

    def samples(self) -> Samples:
        """Return the draws as `fangs.Samples`, with their chains."""
        from fangs.draws.samples import Samples

        return Samples(self.draws, chains=self.chains)

    def __repr__(self) -> str:
        n_chains = len(np.unique(self.chains))
        return (
            f"<Posterior: {len(self.draws)} draws in {n_chains} chains; .samples() makes Samples>"
        )


def sample_posterior(
    data: ArrayLike,
    *,
    prior: IBP | AIBD | None = None,
    alpha: float | Gamma = UNIT_MASS,
    sigma_x: float | Gamma = UNIT_SCALE,
    sigma_a: float | Gamma = UNIT_SCALE,
    n_draws: int = 500,
    burn_in: int = 500,
    thin: int = 1,
    n_chains: int = 4,
    initial: ArrayLike | None = None,
    seed: int | np.random.SeedSequence | None = None,
    n_threads: int | None = None,
    progress: Progress | None = None,
) -> Posterior:
    """Draw allocations from the posterior of X = Z A + noise, A integrated out.

    A tool for demonstrations, tests and studies. The loadings are N(0, sigma_a^2), the noise
    N(0, sigma_x^2), both independent over entries.

    Parameters
    ----------
    data : (n_items, n_dims) array_like
        The observations, on a scale for which the priors of the scales make sense. Centre the
        columns unless zero means "no feature". With n_dims = 0 the draws are from the prior.
    prior : IBP or AIBD, optional
        Prior of the allocation; the IBP by default.
    alpha, sigma_x, sigma_a : float or Gamma
        Mass of the prior and the two standard deviations: fixed, or sampled under a `Gamma` prior.
        By default Gamma(1, 1) for alpha and Gamma(2, 2) for the scales.
    n_draws, burn_in, thin : int
        Each chain discards `burn_in` sweeps and then keeps every `thin`-th until it has `n_draws`.
    n_chains : int
        Number of independent chains.
    initial : (n_items, K) array_like, optional
        Where every chain starts. By default each starts at its own draw from the prior.
    seed : int or SeedSequence, optional
        Same seed, same draws, for any number of threads.
    n_threads : int, optional
        Chains run at once; by default as many as there are processors.
    progress : callable, optional
        Called every 0.1 s with the number of sweeps done and the total number.

    Returns
    -------
    Posterior
        n_chains * n_draws draws. Ctrl-C stops all chains and raises KeyboardInterrupt.

    Notes
    -----
    A sweep visits each item. First it draws the item's bits of features that other items have, one
    at a time in random order; features that the item has alone stay in place. Then it draws the
    number of features that the item has alone from its exact conditional.

    Examples
    --------
    >>> from fangs.simulate import IBP, linear_gaussian
    >>> z = IBP(12).draw(alpha=1.0, seed=3)
    >>> x = linear_gaussian(z, n_dims=5, sigma_x=0.3, sigma_a=1.0, seed=4).data
    >>> posterior = sample_posterior(x, n_chains=2, n_draws=10, burn_in=20, seed=5)
    >>> len(posterior.draws), posterior.draws[0].shape[0], int(posterior.chains[-1])
    (20, 12, 1)
    """
    x = as_data(data)
    chosen = IBP(x.shape[0]) if prior is None else prior
    if not isinstance(chosen, (IBP, AIBD)):
        raise TypeError(f"prior must be an IBP, an AIBD or None; got {type(prior).__name__}")
    if chosen.n_items != x.shape[0]:
        raise ValueError(f"prior is over {chosen.n_items} items but data has {x.shape[0]} rows")
    chains = as_count(n_chains, name="n_chains")
    keep = as_count(n_draws, name="n_draws")
    sweeps = [as_count(burn_in, name="burn_in", minimum=0)] + [as_count(thin, name="thin")] * keep
    workers = as_threads(n_threads)
    start = None if initial is None else as_features(initial, name="initial", n_items=x.shape[0])
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    made = [
        make_chain(
            x, prior=chosen, alpha=alpha, sigma_x=sigma_x, sigma_a=sigma_a, initial=start, seed=s
        )
        for s in root.spawn(chains)
    ]
    runs = _run_all(made, sweeps, min(workers, chains), progress)
    back = np.argsort(chosen.order) if isinstance(chosen, AIBD) else np.arange(x.shape[0])
    alphas, noises, spreads, likelihoods = np.concatenate([traces for _, traces in runs]).T.copy()
    return Posterior(
        draws=[np.ascontiguousarray(z[back]) for run, _ in runs for z in run],
        chains=np.repeat(np.arange(chains), keep),
        alpha=alphas,
        sigma_x=noises,
        sigma_a=spreads,
        log_likelihood=likelihoods,
    )


def make_chain(
    data: NDArray[np.float64],
    *,
    prior: IBP | AIBD,
    alpha: float | Gamma,
    sigma_x: float | Gamma,
    sigma_a: float | Gamma,
    initial: NDArray[np.uint8] | None,
    seed: np.random.SeedSequence,
) -> GibbsChain:
    """One chain at its start. Inside it items are numbered in the prior's order of arrival."""
    numbers = {
        name: _as_number(value, name)
        for name, value in (("alpha", alpha), ("sigma_x", sigma_x), ("sigma_a", sigma_a))
    }
    if numbers["sigma_x"][0] < 1e-6 * numbers["sigma_a"][0]:
        raise ValueError(
            f"sigma_x ({sigma_x!r}) is less than a millionth of sigma_a ({sigma_a!r}), beyond "
            "double precision; give a larger sigma_x"
        )
    for_start, for_chain = seed.spawn(2)
    z = initial
    if z is None:
        z = prior.draw(alpha=float(numbers["alpha"][0]), seed=np.random.default_rng(for_start))
    order = prior.order if isinstance(prior, AIBD) else np.arange(prior.n_items)
    return GibbsChain(
        data=np.ascontiguousarray(data[order]),
        share=prior.shares() if isinstance(prior, AIBD) else np.empty((0, 0)),
        matrix=np.ascontiguousarray(z[order]),
        state=for_chain.generate_state(4, np.uint64).astype(np.uint64),
        **numbers,
    )


def _as_number(value: float | Gamma, name: str) -> NDArray[np.float64]:
    """Value, shape, rate; a fixed number has shape 0."""
    if isinstance(value, Gamma):
        return np.array([value.mean, value.shape, value.rate])
    return np.array([as_positive(value, name), 0.0, 0.0])


_Run = tuple[list[NDArray[np.uint8]], NDArray[np.float64]]
"""The draws of a chain, and (draws, 4): alpha, sigma_x, sigma_a and the log likelihood of each."""


def _run_all(
    chains: list[GibbsChain], sweeps: list[int], n_threads: int, progress: Progress | None
) -> list[_Run]:
    """Run every chain on its own thread; the calling thread reports and listens for Ctrl-C."""
    done = [0] * len(chains)
    halt = threading.Event()
    total = sum(sweeps) * len(chains)

    def run(number: int) -> _Run:
        chain = chains[number]
        draws: list[NDArray[np.uint8]] = []
        traces = np.empty((len(sweeps) - 1, 4))
        for step, count in enumerate(sweeps):
            for block in _blocks(count):
                if halt.is_set() or not chain.run(block):
                    return draws, traces
                done[number] += block
            if step:
                draws.append(chain.matrix())
                traces[step - 1] = chain.alpha, chain.sigma_x, chain.sigma_a, chain.log_likelihood()
        return draws, traces

    pool = ThreadPoolExecutor(n_threads, thread_name_prefix="fangs-chain")
    try:
        futures = [pool.submit(run, number) for number in range(len(chains))]
        waiting = set(futures)
        while waiting:
            finished, waiting = wait(waiting, timeout=0.1)
            for future in finished:
                future.result()  # a chain that failed stops the others
            if progress is not None:
                progress(sum(done), total)
        return [future.result() for future in futures]
    except BaseException:
        halt.set()
        for chain in chains:
            chain.stop()
        raise
    finally:
        pool.shutdown()


def _blocks(count: int, size: int = 64) -> list[int]:
    """Split sweeps so that progress moves and a stop is seen between blocks."""
    return [size] * (count // size) + ([count % size] if count % size else [])
