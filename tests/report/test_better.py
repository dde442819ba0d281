"""A page is about the draws at hand, and about the best allocation met while it was made."""

import dataclasses

import numpy as np
import pytest

import fangs
from fangs.check.text import with_error
from fangs.engine import as_engine
from fangs.report import write_report
from fangs.report.gather import Budget, gather
from fangs.report.improvement import better_estimate
from support.pages import calls, kinds
from support.program import run


def unlucky(estimate, matrix, draws):
    """What a search of bad luck would give: a worse matrix, with the record of a search."""
    found = fangs.Estimate.of(as_engine(draws), matrix, 1.0, search=estimate.search)
    # Said to be flip-optimal, so that flips are not looked at.
    return dataclasses.replace(found, is_flip_optimal=True)


@pytest.fixture(scope="module")
def poor(estimate, draws):
    return fangs.Estimate.of(as_engine(draws), draws[0], 1.0, search=estimate.search)


def test_the_estimate_of_a_chain_can_be_the_better_one(draws, estimate):
    """Where the path is left out and nothing else would show it."""
    alone = [draws.select(np.flatnonzero(draws.chains == c)) for c in range(4)]
    over_all = [fangs.assess(fangs.estimate(chain, seed=0), draws) for chain in alone]
    worst = max(over_all, key=lambda e: e.expected_loss)
    known = gather(unlucky(estimate, worst.matrix, draws), draws, budget=Budget(path=0))
    assert known.path is None
    assert known.better.expected_loss <= min(e.expected_loss for e in over_all)


def test_the_page_is_about_the_estimate_given_and_warns_of_a_better_one(poor, draws, estimate):
    subjects = [
        poor,
        fangs.alternatives.consensus(draws),
        fangs.estimate(draws, n_iter=0, n_init=1, seed=7),
    ]
    for subject in subjects:
        known = gather(subject, draws)
        assert known.estimate is subject
        said = f"has the lower expected loss {estimate.expected_loss:.6g}"
        assert kinds(known, said) == ["warning"]


def test_the_chains_are_compared_with_the_estimate_of_the_page(draws):
    given = fangs.assess(draws[0], draws)
    known = gather(given, draws)
    assert known.chains.pooled is given
    apart = [fangs.faro_loss(e, draws[0]) for e in known.chains.estimates]
    assert known.chains.to_pooled.tolist() == apart


def test_other_draws_are_told_and_assessed(estimate, draws):
    other = draws.select(np.flatnonzero(draws.chains == 3))
    known = gather(estimate, other)
    assert known.estimate.expected_loss == fangs.expected_loss(estimate, other)
    assert known.estimate.n_draws == len(other) == 100
    assert not known.estimate.is_flip_optimal
    assert kinds(known, "made from other draws") == kinds(known, "was not ruled out") == ["warning"]
    assert calls(known, "made from other draws") == ["fangs.estimate(draws)"]
    assert known.certificate.expected_loss == known.estimate.expected_loss


def page_of_command(estimate, draws, folder):
    draws.save(folder / "draws.npz")
    estimate.save(folder / "estimate.npz")
    result = run("report", "draws.npz", "--estimate", "estimate.npz", cwd=folder)
    assert result.returncode == 0
    return result.stderr, (folder / "report.html").read_text(encoding="utf-8")


def test_the_command_says_that_draws_are_others(estimate, draws, tmp_path):
    other = draws.select(np.flatnonzero(draws.chains == 3))
    said, page = page_of_command(estimate, other, tmp_path)
    assert "made from other draws" in said
    assert "made from other draws" in page
    assert f"{with_error(estimate.expected_loss, estimate.loss_error)} at a = 1" not in page


def test_the_command_warns_of_what_is_better(poor, estimate, draws, tmp_path):
    _, page = page_of_command(poor, draws, tmp_path)
    assert f"{with_error(poor.expected_loss, poor.loss_error)} at a = 1" in page
    assert f"has the lower expected loss {estimate.expected_loss:.6g}" in " ".join(page.split())
    assert write_report(poor, draws, tmp_path / "r.html", effort="quick") is poor


def test_what_a_proof_finds_is_told():
    """Few items with weights, so that column generation takes no time."""
    made = fangs.simulate.posterior_like(12, 3, 60, noise=0.2, seed=4).draws
    small = fangs.Samples(made, weights=np.arange(60) % 4)
    best = fangs.estimate(small, seed=1)
    given = unlucky(best, small[0], small)
    known = gather(given, small, budget=Budget(path=0, chains=0, seconds=1e6))
    assert "the best lower bound" not in known.left_out
    assert known.estimate is given
    assert known.better.expected_loss == best.expected_loss
    assert kinds(known, f"has the lower expected loss {best.expected_loss:.6g}") == ["warning"]


def test_weights_decide_what_is_better():
    one, other = [[1], [1], [0], [0]], [[0], [0], [1], [1]]
    draws = [one, other, other, other]
    weighted = fangs.Samples(draws, weights=[9, 1, 1, 1])
    best, path = fangs.estimate(weighted, seed=1), fangs.sparsity_path(draws, a=[1.0], seed=1)
    assert best.matrix.tolist() == one
    assert path.estimates[0].matrix.tolist() == other
    assert better_estimate(best, fangs.align(best, weighted), path=path) is None
    worse = fangs.assess(other, weighted)
    path = fangs.sparsity_path(weighted, a=[1.0], seed=1)
    better = better_estimate(worse, fangs.align(worse, weighted), path=path)
    assert better.expected_loss == best.expected_loss
