"""compare_chains(): compare Markov chains as allocations, invariant to feature labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._typing import FloatArray, IntArray
from fangs.check.arguments import as_max_rhat, as_penalty_for, as_seed
from fangs.check.call import Call
from fangs.check.text import join_words, rounded, span, visible
from fangs.draws.info import SamplesInfo
from fangs.draws.weights import evenly_spaced_copies
from fangs.engine import Engine, as_engine
from fangs.engine.chain_separation import draws_of_chains, pairs_apart
from fangs.estimate import Estimate
from fangs.posterior.assess import assess, for_draws
from fangs.posterior.diagnostics import bulk_ess, chance_rhat, rhat
from fangs.posterior.losses import faro_loss
from fangs.search import Interrupted, run_search
from fangs.search.record import SearchSettings

if TYPE_CHECKING:
    import pandas as pd

# Copies of draws by weight, per chain, up to which R-hat is that of all of them.
_COPIES = 4096
# Fewest draws per chain for which R-hat and half-chain estimates mean something.
_FEWEST = 8


def compare_chains(
    samples: Any,
    *,
    a: float | None = None,
    estimate: Any = None,
    max_rhat: float | None = None,
    seed: int | None = None,
    n_threads: int | None = None,
) -> ChainComparison:
    """Compare Markov chains by their estimates, and say in words whether they agree.

    R-hat of the number of features can look fine while every chain is in a mode of its own.
    Therefore the chains are also compared as allocations. The first half of each chain gives an
    allocation that is typical of it, at a = 1; the `separation` of two chains is the share of draws
    in their second halves that are nearer to that of their own chain. It is about 0.5 if both
    sample the same posterior, and near 1 if they are stuck in different modes. At most 64 draws of
    each half are looked at, spread evenly. Every estimate does the same
    (`Estimate.chains_apart`), so both always say the same of the same draws.

    Where draws have weights, halves are halves of the weight, and R-hat is that of draws repeated
    by weight. What chance can do goes by the number of draws, whatever their weights.

    Ctrl-C leaves the estimate from all draws with `Interrupted`, if it had been made.

    Costs one estimate for all draws unless it is given, and one per chain.

    Parameters
    ----------
    samples
        `Samples` with ``chains``; at least two chains, of at least 8 draws each.
    a
        Price of a one that an estimate has and a draw lacks, between 0 and 2; by default that of
        `estimate`, or 1.
    estimate
        The estimate from all draws, if there is one already, or any 0/1 matrix to compare the
        chains with. By default it is searched for.
    max_rhat
        Chains agree only if no R-hat is above this. The default is 1.05 or, if it is larger, the
        value that independent draws exceed once in a thousand times; it is larger for short chains.
        Vehtari et al. (2021) advise 1.01 for long chains.
    seed
        Makes the estimates repeatable.
    n_threads
        Threads to use; None means all cores.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.example()
    >>> found = compare_chains(draws, seed=1)
    >>> found.agree, found.apart
    (False, ((0, 3), (1, 3), (2, 3)))
    >>> found.distances[0]
    array([ 0.,  0.,  0., 78.])
    >>> compare_chains(draws.select(np.flatnonzero(draws.chains < 3)), seed=1).verdict
    'The chains agree: nothing here speaks against pooling them.'
    """
    a, seed = as_penalty_for(estimate, a), as_seed(seed)
    engine = as_engine(samples, n_threads)
    info = engine.samples_info
    members = _members(info)
    max_rhat = as_max_rhat(_default_max_rhat(members) if max_rhat is None else max_rhat)
    pooled = _pooled(engine, estimate, a, SearchSettings(seed=seed))
    try:
        return _compared(engine, pooled, a, seed, members, max_rhat)
    except KeyboardInterrupt as interrupt:
        raise Interrupted(pooled) from interrupt  # not that of one chain


def _compared(
    engine: Engine,
    pooled: Estimate,
    a: float,
    seed: int,
    members: list[IntArray],
    max_rhat: float,
) -> ChainComparison:
    """Search in each chain, and compare what is found there."""
    info, settings = engine.samples_info, SearchSettings(seed=seed)
    estimates = tuple(run_search(engine.select(draws), a, settings) for draws in members)
    separation = engine.chain_separation
    assert separation is not None  # there are two chains that are long enough
    tables = _tables(pooled, info, members)
    return ChainComparison(
        a=a,
        max_rhat=max_rhat,
        # Chains whose draws all have weight 0 are left out.
        chains=tuple(info.chain_names[info.chain_codes[draws[0]]] for draws in members),
        n_draws=tuple(len(draws) for draws in members),
        pooled=pooled,
        estimates=estimates,
        distances=np.array([[faro_loss(x, y) for y in estimates] for x in estimates]),
        to_pooled=np.array([faro_loss(x, pooled) for x in estimates]),
        separation=separation.shares,
        held_out=separation.held_out,
        rhat={name: rhat(table) for name, table in tables.items()},
        ess={name: bulk_ess(table) for name, table in tables.items()},
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChainComparison(Frozen):
    """How far several chains agree; made by `fangs.compare_chains`.

    Chains are in the order of their labels: numbers increasing, text as the draws have it. The
    arrays are read-only.

    Attributes
    ----------
    a
        The penalty of the estimates.
    max_rhat
        R-hat up to which chains agree.
    chains
        The label of each chain.
    n_draws
        Number of draws of each chain.
    pooled
        The estimate from all draws, or the one that was given.
    estimates
        The estimate from each chain.
    distances
        (chains, chains): FARO loss between the chains' estimates, at a = 1, where it is a
        metric.
    to_pooled
        (chains,): FARO loss between each chain's estimate and the pooled one, at a = 1.
    separation
        (chains, chains): share of held-out draws of two chains that are nearer to what is typical
        of the first half of their own chain; about 0.5 if the chains agree, 1 if they are apart.
    held_out
        (chains,): number of draws by which the separation of each was judged.
    rhat
        R-hat of the numbers of features and ones, and of the loss to the pooled estimate.
    ess
        Bulk effective sample size of the same numbers.
    """

    a: float
    max_rhat: float
    chains: tuple[str | int, ...]
    n_draws: tuple[int, ...]
    pooled: Estimate
    estimates: tuple[Estimate, ...]
    distances: FloatArray
    to_pooled: FloatArray
    separation: FloatArray
    held_out: IntArray
    rhat: dict[str, float]
    ess: dict[str, float]

    @property
    def apart(self) -> tuple[tuple[int, int], ...]:
        """Pairs of chains, by their positions in `chains`, that are in different modes."""
        return pairs_apart(self.separation, self.held_out)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The chains, by their positions in `chains`, in groups of which no chain is apart.

        Each group is a mode, or several that its chains move between; the largest comes first.
        """
        n_chains = len(self.n_draws)
        near = np.ones((n_chains, n_chains), dtype=bool)
        for i, j in self.apart:
            near[i, j] = near[j, i] = False
        group = np.arange(n_chains)
        for i, j in zip(*np.nonzero(near), strict=True):
            group[group == group[j]] = group[i]
        found = [tuple(np.flatnonzero(group == g).tolist()) for g in np.unique(group)]
        return tuple(sorted(found, key=lambda chains: (-len(chains), chains)))

    @property
    def _advice(self) -> str:
        """What to do where chains are apart."""
        if len(self.groups) == 1:
            return "fangs.modes finds the modes, and by_chain says which chains are in which."
        named = ", ".join(_named([self.chains[c] for c in group]) for group in self.groups)
        options = {"n_modes": len(self.groups), "a": self.estimates[0].a}
        call = Call("modes", "draws", options)
        return f"{named[0].upper()}{named[1:]}: {call} gives an estimate for each mode."

    @property
    def agree(self) -> bool:
        """Whether no two chains are apart and no R-hat is above `max_rhat`."""
        return not self.apart and max(self.rhat.values()) <= self.max_rhat

    @property
    def verdict(self) -> str:
        """One plain sentence."""
        if self.apart:
            i, j = max(self.apart, key=lambda pair: self.separation[pair])
            return (
                f"The chains are in different modes: for example, chains {visible(self.chains[i])} "
                f"and {visible(self.chains[j])} have estimates "
                f"{rounded(self.distances[i, j], 6)} apart, and "
                f"{100 * self.separation[i, j]:.0f} % of their draws are nearer to their own chain "
                f"(50 % if they agreed); do not pool them. {self._advice}"
            )
        if words := _rhat_words(self.rhat, self.max_rhat):
            return f"{words}."
        least = min(self.ess, key=lambda name: self.ess[name])
        agreed = "The chains agree: nothing here speaks against pooling them."
        if self.ess[least] >= 50 * len(self.n_draws):
            return agreed
        return (
            f"{agreed} But {_NAMES[least]} has a bulk effective sample size of only "
            f"{self.ess[least]:.0f} in {sum(self.n_draws):,} draws; a longer run would make shares "
            "and losses more exact."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per chain; needs pandas.

        Examples
        --------
        >>> import fangs
        >>> compare_chains(fangs.datasets.example(), seed=1).to_frame()["n_features"].tolist()
        [4, 4, 4, 5]
        """
        columns: dict[str, Any] = {
            "n_draws": list(self.n_draws),
            "n_features": [e.n_features for e in self.estimates],
            "n_ones": [e.n_ones for e in self.estimates],
            "expected_loss": [e.expected_loss for e in self.estimates],
            "to_pooled": self.to_pooled,
        }
        columns |= {
            f"to_{name}": row for name, row in zip(self.chains, self.distances, strict=True)
        }
        return frame(columns, index=self.chains, name="chain")

    def _repr_html_(self) -> str:
        from fangs.report.views import chains_html

        return chains_html(self)

    def __repr__(self) -> str:
        return f"<ChainComparison: {len(self.n_draws)} chains; {self.verdict}>"

    def __str__(self) -> str:
        note = [f"Note: {self.pooled.origin}"] if self.pooled.origin else []
        lines = [self.verdict, *note, "", "                            R-hat  bulk ESS"]
        lines += [
            f"  {_NAMES[name]:<24}  {self.rhat[name]:>5.3f}  {self.ess[name]:>8.0f}"
            for name in self.rhat
        ]
        width = max(5, *(len(visible(name)) for name in self.chains))
        lines += [
            "",
            f"  {'chain':>{width}}  draws  features  expected loss  to pooled  to the other chains",
        ]
        for c, (n_draws, found) in enumerate(zip(self.n_draws, self.estimates, strict=True)):
            others = np.delete(self.distances[c], c)
            lines.append(
                f"  {visible(self.chains[c]):>{width}}  {n_draws:>5}  {found.n_features:>8}"
                f"  {rounded(found.expected_loss, 6):>13}  {rounded(self.to_pooled[c], 6):>9}"
                f"  {span(others.tolist())}"
            )
        return "\n".join(lines)


def _named(chains: Sequence[str | int]) -> str:
    """What a group of chains has, in words."""
    names = join_words(map(visible, chains))
    return (
        f"chains {names} share a mode" if len(chains) > 1 else f"chain {names} has one of its own"
    )


_NAMES = {
    "features": "the number of features",
    "ones": "the number of ones",
    "loss": "the loss",
}


def not_converged(estimate: Estimate) -> str:
    """What `compare_chains` says of chains that have not converged, by the same R-hat; else ""."""
    info, found = estimate.samples_info, chain_rhat(estimate)
    if info is None or not found:
        return ""
    return _rhat_words(found, _default_max_rhat(draws_of_chains(info)))


def chain_rhat(estimate: Estimate) -> dict[str, float]:
    """R-hat of the numbers that `compare_chains` looks at; empty if chains are too few or short."""
    info = estimate.samples_info
    members = [] if info is None else draws_of_chains(info)
    if info is None or len(members) < 2 or min(map(len, members)) < _FEWEST:
        return {}
    return {name: rhat(table) for name, table in _tables(estimate, info, members).items()}


def _default_max_rhat(members: list[IntArray]) -> float:
    return max(1.05, chance_rhat(len(members), min(map(len, members))))


def _rhat_words(found: dict[str, float], max_rhat: float) -> str:
    worst = max(found, key=lambda name: found[name])
    if found[worst] <= max_rhat:
        return ""
    return (
        f"The chains have not converged: R-hat of {_NAMES[worst]} is {found[worst]:.3g}, above "
        f"{max_rhat:.3g}; run them longer"
    )


def _pooled(engine: Engine, estimate: Any, a: float, settings: SearchSettings) -> Estimate:
    """The estimate from all draws: the one given, if there is one."""
    if estimate is None:
        return run_search(engine, a, settings)
    if isinstance(estimate, Estimate) and estimate.a == a:
        return for_draws(estimate, engine)
    return assess(estimate, engine, a=a)


def _tables(
    pooled: Estimate, info: SamplesInfo, members: list[IntArray]
) -> dict[str, npt.NDArray[Any]]:
    """(chains, draws) each; longer chains lose their first draws."""
    copies = _equal_copies(info, members)
    shortest = min(map(len, copies))
    draws = np.stack([chain[-shortest:] for chain in copies])
    numbers = {"features": info.n_features, "ones": info.n_ones, "loss": pooled.losses}
    return {name: values[draws] for name, values in numbers.items()}


def _members(info: SamplesInfo) -> list[IntArray]:
    """The draws of each chain, in order."""
    if info.chains is None:
        raise ValueError(
            "samples has no chains to compare; say which chain each draw is from: "
            "fangs.Samples(draws, chains=labels)"
        )
    members = draws_of_chains(info)
    if len(members) < 2:
        raise ValueError(
            "samples has one chain only; at least two are needed to compare: run the sampler again "
            "from another start, and give fangs.Samples.from_chains([first, second])"
        )
    shortest = min(len(draws) for draws in members)
    if shortest < _FEWEST:
        which = "draws" if info.weights is None else "draws that count"
        raise ValueError(
            f"samples has a chain of {shortest} {which}; give chains of at least {_FEWEST}"
        )
    return members


def _equal_copies(info: SamplesInfo, members: list[IntArray]) -> list[IntArray]:
    """The draws of each chain, repeated by weight: R-hat knows only draws that count the same.

    Where that would be many, each chain is represented by copies that are evenly spaced.
    """
    if info.weights is None:
        return members
    weights = [info.weights[draws] for draws in members]
    at_most = max(_COPIES, 4 * max(map(len, members)))
    share = min(Fraction(1), Fraction(at_most, max(int(w.sum()) for w in weights)))
    return [
        draws[evenly_spaced_copies(w, max(_FEWEST, int(share * int(w.sum()))))]
        for draws, w in zip(members, weights, strict=True)
    ]
