"""describe(): a paragraph about an estimate for a paper, with what a reader needs to judge it."""

from __future__ import annotations

from typing import Any

from fangs._typing import IntArray
from fangs.check.text import count, join_words, rounded, visible, with_error
from fangs.estimate import Estimate
from fangs.modes import Modes
from fangs.posterior.alignment import as_alignment
from fangs.posterior.assess import for_draws
from fangs.posterior.chains import chain_rhat, not_converged
from fangs.posterior.core import core as core_of
from fangs.posterior.core.result import Core
from fangs.posterior.error_rates import ErrorRates
from fangs.report.gather import FEWEST_DRAWS, chain_sizes

PAPER = "Dahl, Johnson and Andros 2023, doi:10.1080/10618600.2023.2204136"
"""What to cite for the method."""


def describe(
    estimate: Estimate,
    samples: Any,
    *,
    modes: Modes | None = None,
    core: Core | None = None,
    n_threads: int | None = None,
) -> str:
    """Write the paragraph; the arguments are those of `Estimate.describe`."""
    alignment = as_alignment(estimate, samples, n_threads)
    engine = alignment.engine
    found = core_of(estimate, alignment) if core is None else core
    sizes = chain_sizes(engine.samples_info)
    return paragraph(for_draws(estimate, engine), sizes, modes=modes, core=found)


def paragraph(
    estimate: Estimate,
    sizes: IntArray,
    *,
    modes: Modes | None,
    core: Core | None,
    better: Estimate | None = None,
) -> str:
    """The paragraph from what is known; what is None is left out.

    `sizes` are the numbers of draws of the chains. `better` is an estimate with a lower expected
    loss, if one is known.
    """
    sentences = [
        _method(estimate, len(sizes), is_beaten=better is not None),
        *_note(estimate),
        _size(estimate),
        _loss(estimate),
        *_errors(estimate),
        *_core(core),
        _optimality(estimate, better),
        *_ties(estimate),
        _chains(estimate, sizes),
        *_modes(modes, estimate),
    ]
    return " ".join(sentences)


def _method(e: Estimate, n_chains: int, *, is_beaten: bool) -> str:
    costs = "a false one and a missed one cost the same"
    if e.a != 1:
        costs = f"a false one costs {e.a:g} and a missed one {rounded(2 - e.a, 6)}"
    what, origin = _origin(e, is_beaten=is_beaten)
    return (
        f"We summarised {_draws(e, n_chains)} by {what} ({PAPER}; a = {e.a:g}, so {costs}){origin}."
    )


def _origin(e: Estimate, *, is_beaten: bool) -> tuple[str, str]:
    """What kind of allocation it is, and where it comes from."""
    from fangs import __version__

    package, search = f"the Python package fangs {__version__}", e.search
    smallest = "the feature allocation with the smallest expected FARO loss"
    if search is not None:
        how = "a multistart local search" if search.n_iter is None else "Algorithm 1 of that paper"
        seed = "" if search.seed is None else f", seed {search.seed}"
        if _is_proved(e):
            return smallest, f", found by {how} with {package}{seed}"
        if e.is_flip_optimal and not e.origin and not is_beaten:
            return smallest, f" that {how} found, with {package}{seed}"
    if _is_proved(e):
        return smallest, f", evaluated with {package}"
    return "a feature allocation, judged by its expected FARO loss", f", evaluated with {package}"


def _draws(e: Estimate, n_chains: int) -> str:
    words = count(e.n_draws, "posterior draw")
    if e.weights is not None:
        words = f"{count(e.n_draws, 'weighted posterior draw')} (worth "
        words += f"{rounded(e.effective_draws)} of equal weight)"
    return f"{words} from {count(n_chains, 'chain')}" if n_chains else words


def _note(e: Estimate) -> list[str]:
    return [f"Note: {visible(e.origin)}."] if e.origin else []


def _size(e: Estimate) -> str:
    return (
        f"The allocation has {count(e.n_features, 'feature')} and {count(e.n_ones, 'one')} for "
        f"{count(e.n_items, 'item')}."
    )


def _loss(e: Estimate) -> str:
    shown = with_error(e.expected_loss, e.loss_error)
    if e.a == 1:
        said = f"On average a draw differs from it in {shown} entries after alignment"
    else:
        said = f"Its expected loss is {shown}"
    if e.loss_error is None:
        return f"{said}; there are too few draws for a Monte Carlo error of this number."
    if e.loss_error == 0:
        return f"{said}, and every draw alike."
    effective = rounded(e.loss_effective_draws or 0.0, 2)
    return f"{said} (± one Monte Carlo standard error, from about {effective} effective draws)."


def _errors(e: Estimate) -> list[str]:
    if not e.n_features:
        return []
    rates = ErrorRates.of(e.matrix, e.proportions)
    ones, zeros = (
        rounded(100 * share, 2) for share in (rates.false_discovery, rates.false_omission)
    )
    return [
        f"Of its ones {ones} % are expected to be wrong (posterior expected false discovery rate), "
        f"and of its zeros {zeros} %."
    ]


def _core(found: Core | None) -> list[str]:
    """What holds jointly; nothing where the core was not computed."""
    if found is None or not found.n_units:
        return []
    alike = ", ones and zeros alike," if found.by == "entries" else ""
    whole = f"Of its {found.n_units:,} {found.by}{alike}"
    share = f"in at least {100 * found.level:.4g} % of the draws"
    if not found.size:
        return [f"{whole} none holds {share}."]
    proof = "; no larger set does" if found.is_exact else ""
    return [f"{whole} {found.size:,} hold together {share}{proof}."]


def _is_proved(e: Estimate) -> bool:
    return e.lower_bound is not None and e.expected_loss <= e.lower_bound


def _optimality(e: Estimate, better: Estimate | None) -> str:
    if _is_proved(e):
        return "It is proved that no allocation has a lower expected loss over these draws."
    if better is not None:
        words = f"Another allocation has the lower expected loss {rounded(better.expected_loss, 6)}"
    elif e.is_flip_optimal:
        words = "No change of a single entry lowers its expected loss"
    else:
        words = "It was not ruled out that a change of a single entry lowers its expected loss"
    if e.lower_bound is None or e.expected_loss <= 0:
        return f"{words}."
    percent = rounded(100 * (1 - e.lower_bound / e.expected_loss), 2)
    return f"{words}; no allocation can save more than {percent} % of it."


def _ties(e: Estimate) -> list[str]:
    if not e.n_ties:
        return []
    tied = count(e.n_ties, "entry", plural="entries")
    return [f"{tied} of it could change at no cost."]


def _chains(e: Estimate, sizes: IntArray) -> str:
    """What `compare_chains` would say, as far as a paper goes."""
    if not len(sizes):
        return "Convergence was not checked: the draws do not say which chain each is from."
    if len(sizes) == 1:
        return "There is one chain only, so convergence was not checked against another."
    if sizes.min() < FEWEST_DRAWS:
        return f"Convergence was not checked: a chain has {count(int(sizes.min()), 'draw')} only."
    if e.chains_apart:
        one, other = map(visible, e.chains_apart[0])
        return (
            f"The chains are in different modes (chains {one} and {other}, for example), so these "
            "numbers are about the pooled draws and not about one mode."
        )
    if words := not_converged(e):
        return f"{words.partition(';')[0]}, so these numbers may change in longer runs."
    worst = max(chain_rhat(e).values())
    return (
        "The chains agree: R-hat of the numbers of features and ones and of the loss is at most "
        f"{worst:.3g}."
    )


def _modes(found: Modes | None, e: Estimate) -> list[str]:
    """How many modes there are; which shares are no probabilities, because chains are apart."""
    if found is None or found.n_modes == 1:
        return []
    shares = join_words([f"{rounded(100 * share)} %" for share in found.weights])
    what = ", which are shares of the chains and not of the posterior" if e.chains_apart else ""
    return [
        f"The draws have {found.n_modes} modes, with {shares} of them{what}; this estimate alone "
        "does not describe them all."
    ]
