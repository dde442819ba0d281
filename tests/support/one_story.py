"""What all functions with a verdict say of a shelf of posteriors, and the table of it in the docs.

python tests/support/one_story.py writes the table into docs/chains.md.
"""

import re
from pathlib import Path

import numpy as np

import fangs
from fangs.report.gather import gather
from fangs.report.verdict import headline, verdict

PAGE = Path(__file__).parents[2] / "docs" / "chains.md"
TRUTH = (np.random.default_rng(5).random((30, 4)) < 0.4).astype(np.uint8)
FAR = np.column_stack([np.roll(TRUTH[:, 0], 7), np.roll(TRUTH[:, 1], 11), TRUTH[:, 2:]])
NEAR = np.where(np.arange(120).reshape(30, 4) == 8, 1 - TRUTH, TRUTH)


def around(modes, seed=0, noise=0.05):
    """A draw around each of these allocations, its columns shuffled."""
    rng = np.random.default_rng(seed)
    draws = [mode ^ (rng.random(mode.shape) < noise) for mode in modes]
    return [draw[:, rng.permutation(4)].astype(np.uint8) for draw in draws]


def chains_of(*modes, n_draws=60):
    """A chain around each of these allocations."""
    draws = around([mode for mode in modes for _ in range(n_draws)])
    return fangs.Samples(draws, chains=np.repeat(np.arange(len(modes)), n_draws))


def visits(n_draws, length):
    """Two chains that move between two modes, staying for so many draws."""
    modes = [FAR if b // length % 2 else TRUTH for b in range(n_draws)] * 2
    return fangs.Samples(around(modes), chains=np.repeat([0, 1], n_draws))


def shelf():
    """Posteriors by name."""
    stuck = chains_of(TRUTH, TRUTH, TRUTH, FAR)
    return {
        "four chains that agree": chains_of(*[TRUTH] * 4),
        "one stuck chain": stuck,
        "one stuck chain, one entry away": chains_of(TRUTH, TRUTH, TRUTH, NEAR),
        "each chain in a mode of its own": chains_of(TRUTH, FAR, np.roll(TRUTH, 3, axis=0)),
        "two modes within each chain": visits(120, 2),
        "two modes, each visited once by each chain": visits(120, 60),
        "short chains that agree, 12 draws each": chains_of(*[TRUTH] * 4, n_draws=12),
        "short chains, one stuck": chains_of(TRUTH, TRUTH, TRUTH, FAR, n_draws=12),
        "chains of 5 draws": chains_of(TRUTH, FAR, n_draws=5),
        "weights, chains that agree": weighted(chains_of(*[TRUTH] * 4)),
        "weights, one stuck chain": weighted(stuck),
        "weights that leave one chain": fangs.Samples(
            stuck, weights=(stuck.chains == 3).astype(int)
        ),
        "one chain": chains_of(TRUTH, n_draws=120),
        "draws without chains": fangs.Samples(list(stuck)),
    }


def weighted(samples):
    """Every other draw counts three times."""
    return fangs.Samples(samples, weights=1 + 2 * (np.arange(len(samples)) % 2))


SAYS = {
    "apart": r"chains are in different modes",
    "not converged": r"chains have not converged",
    "agree": r"The chains agree",
    "not checked": r"Convergence was not checked|has no chains|has one chain|give chains of",
}


def said(text):
    """What a text says of the chains; "" where it says nothing. It may say one thing only."""
    text = re.sub(r"<[^>]*>", "", text).replace("\u00a0", " ")
    text = " ".join(text.split())
    found = [what for what, words in SAYS.items() if re.search(words, text)]
    assert len(found) <= 1, (found, text)
    return found[0] if found else ""


def comparison(samples, estimate):
    try:
        return fangs.compare_chains(samples, estimate=estimate, seed=1).verdict
    except ValueError as refusal:
        return str(refusal)


def stories(samples):
    """What each function says of the chains, and the number of modes."""
    estimate = fangs.estimate(samples, seed=1)
    modes = fangs.modes(samples, seed=1)
    facts = gather(estimate, samples)
    report = " ".join([headline(facts), *(remark.text for remark in verdict(facts))])
    quick = gather(estimate, samples, effort="quick")
    return {
        "print": said(str(estimate)),
        "notebook": said(estimate._repr_html_()),
        "note": said(estimate.note),
        "chains": said(comparison(samples, estimate)),
        "modes": said(str(modes)),
        "modes notebook": said(modes._repr_html_()),
        "summary": said(str(fangs.summary(estimate, samples))),
        "certificate": said(str(fangs.certify(estimate, samples, method="items"))),
        "report": said(report),
        "quick report": said(" ".join(remark.text for remark in verdict(quick))),
        "n_modes": modes.n_modes,
        "enough": "One estimate is enough:" in str(modes),
        "tick": "lower expected loss." in report,
        "weights": "Report each with its weight" in report,
    }


def table(told):
    """The table of the docs."""
    columns = ["print", "chains", "n_modes", "modes", "certificate", "report"]
    heads = ["Estimate", "`compare_chains`", "Modes", "`modes` on chains", "`certify`", "Report"]
    lines = [["Posterior", *heads], [":--"] * (len(heads) + 1)]
    lines += [[name, *(str(one[key] or "–") for key in columns)] for name, one in told.items()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main():
    text = table({name: stories(samples) for name, samples in shelf().items()})
    page = PAGE.read_text()
    pattern = r"(<!-- one story -->\n).*?(<!-- end -->)"
    PAGE.write_text(re.sub(pattern, lambda m: f"{m[1]}\n{text}\n\n{m[2]}", page, flags=re.S))


if __name__ == "__main__":
    main()
