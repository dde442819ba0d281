"""Remarks of the verdict on the draws: whether chains agree, how many modes, how many draws."""

from __future__ import annotations

from fangs.check.call import Call
from fangs.check.text import FEW_DRAWS, count, count_effective, join_words, rounded
from fangs.estimate import chains_apart_words
from fangs.report.gather import FEWEST_DRAWS, Facts, chain_sizes
from fangs.report.remark import Remark


def on_chains(facts: Facts) -> list[Remark]:
    """Whether the chains agree, or why this was not checked."""
    found, chains = facts.chains, facts.samples.chains
    if found is not None:
        # Where chains are apart, the verdict itself names the call.
        return [Remark("good" if found.agree else "warning", found.verdict)]
    if words := chains_apart_words(facts.estimate):
        modes = Call("modes", "draws", {"a": facts.estimate.a})
        return [Remark("warning", f"{words}. This looks for an estimate for each mode:", modes)]
    unchecked = "Convergence was not checked"
    if chains is None:
        text = f"{unchecked}: the draws do not say which chain each is from. Say so:"
        return [Remark("warning", text, Call("Samples", "draws", {"chains": "labels"}))]
    sizes = chain_sizes(facts.samples)
    if len(sizes) < 2:
        text = f"{unchecked}: there is one chain only. Run several from different starts, and:"
        return [Remark("warning", text, Call("Samples.from_chains", "[first, second, ...]"))]
    if sizes.min() < FEWEST_DRAWS:
        text = f"{unchecked}: a chain has {count(int(sizes.min()), 'draw')} only; run it longer."
        return [Remark("warning", text)]
    text = f"{unchecked}, because it would take long; this does it:"
    return [Remark("warning", text, Call("compare_chains", "draws"))]


def on_modes(facts: Facts) -> list[Remark]:
    """Whether one estimate can describe the draws."""
    found, e = facts.modes, facts.estimate
    if found is None or found.n_modes == 1:
        return []
    shares = join_words([f"{rounded(100 * weight)} %" for weight in found.weights])
    how = "Report each with its weight"
    if e.chains_apart:
        how = "Report each with the chains that are in it: these are shares of chains, not of the "
        how += "posterior"
    text = (
        f"The draws have {found.n_modes} modes, with {shares} of them: one estimate cannot "
        f"describe them all. With an estimate for each, the expected loss is "
        f"{rounded(found.expected_loss, 6)} instead of {rounded(found.curve[0], 6)}. They are "
        f"side by side below. {how}:"
    )
    call = Call("modes", "draws", {"n_modes": found.n_modes, "a": e.a})
    return [Remark("warning", text, call)]


def on_few_draws(facts: Facts) -> list[Remark]:
    """Whether there are too few draws for shares and intervals."""
    n_draws, effective = facts.estimate.n_draws, facts.estimate.effective_draws
    more = "Run the sampler longer, and keep more draws."
    if n_draws >= FEW_DRAWS and effective < FEW_DRAWS:
        text = f"The weights of the {n_draws:,} draws are as good as {count_effective(effective)}."
        return [Remark("warning", f"{text} {more}")]
    if n_draws >= FEW_DRAWS:
        return []
    text = f"There are only {count(n_draws, 'draw')}: shares and intervals are rough. {more}"
    return [Remark("warning", text)]
