"""The verification study runs, at tiny sizes, and its pages say what was measured."""

from __future__ import annotations

import doctest
import re
from functools import partial

import numpy as np
import pytest

import fangs
from fangs.engine import as_engine
from fangs.loss import Objective
from fangs.search.algorithm1 import initial_estimate
from oracles.reference import expected_loss
from study import (
    cases,
    differences,
    direction,
    iterations,
    markdown,
    padding,
    penalties,
    permutations,
    published,
    recovery,
    run,
    stopping,
)
from study.draws import (
    DrawSet,
    make,
    small_posterior,
    tempered_posterior,
    wide_posterior,
)


@pytest.fixture(scope="module")
def draws() -> DrawSet:
    made = fangs.simulate.posterior_like(12, 3, 60, noise=0.2, births=0.5, seed=3)
    return DrawSet("aibd", "AIBD", fangs.Samples(made.draws), made.truth, "simulated", "Tiny.", 0.0)


def read(docs, page):
    text = (docs / "study" / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!http)([^)]+)\)", text):
        if "images" in link:
            assert (docs / "study" / link).resolve().stat().st_size > 1000
        else:
            assert link.split("#")[0] in {
                *run.PAGES,
                "index.md",
                "../how-the-search-works.md",
                "../theory.md",
            }
    assert "nan" not in text
    return text


def cells(text):
    """The body of every table, row by row."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_permutations_page_has_a_row_for_each_width(tmp_path):
    permutations.write(tmp_path, repeats={4: 2, 6: 2}, batch=5)
    rows = cells(read(tmp_path, "permutations.md"))
    assert [row[:2] for row in rows[1:]] == [["4", "24"], ["6", "720"]]


def test_case_studies_page_shows_the_losses_that_the_methods_report(tmp_path, draws):
    measured = {"aibd": cases.measure(draws.samples, seeds=[0, 1])}
    cases.write(tmp_path, {"aibd": draws}, measured)
    text = read(tmp_path, "case-studies.md")
    best = fangs.alternatives.draws(draws.samples).expected_loss
    assert f"| AIBD | {best:.2f} |" in text
    assert "16.51" in text
    assert "16.19" in text
    found = [fangs.estimate(draws.samples, seed=seed).expected_loss for seed in (0, 1)]
    assert measured["aibd"].default.losses == tuple(found)


def test_more_proposals_do_not_raise_the_loss(tmp_path, draws):
    losses = iterations.measure(draws.samples, [1, 3000], seeds=range(3))
    assert np.mean(losses[3000]) <= np.mean(losses[1])
    measured = {"aibd": cases.measure(draws.samples, seeds=[0])}
    iterations.write(tmp_path, {"aibd": draws}, measured, {"aibd": losses})
    assert "| 3,000 |" in read(tmp_path, "iterations.md")


def test_penalties_page_shows_what_both_searches_find(tmp_path, draws):
    found = penalties.measure(draws.samples, penalties=[0.01, 1.0, 1.99])
    ones = [one.ones for one in found.default.values()]
    assert ones == sorted(ones, reverse=True)
    assert ones[0] > ones[-1]
    paper = fangs.estimate(draws.samples, a=1.99, n_iter=1000, seed=1)
    assert found.algorithm1[1.99] == penalties.Size.of(paper)
    assert found.algorithm1[1.99].expected_loss >= found.default[1.99].expected_loss
    penalties.write(tmp_path, {"aibd": draws}, {"aibd": found})
    rows = cells(read(tmp_path, "penalties.md"))
    theirs = [str(value) for value in published.SPARSITY[1.99]]
    sizes = found.default[1.99], found.algorithm1[1.99]
    assert rows[-1] == ["1.99", *(str(cell) for size in sizes for cell in size.cells), *theirs]


def test_differences_page_shows_all_three_points(tmp_path, draws):
    found = penalties.measure(draws.samples, penalties=[0.1, 0.5, 1.0, 1.5])
    stops = {"aibd": stopping.measure(draws.samples, seeds=[0])}
    pads = {"aibd": padding.measure(draws.samples, penalties=[1.0, 0.1], n_baselines=2)}
    titles = {"aibd": "AIBD"}
    differences.write(
        tmp_path,
        direction.paragraphs(found.default),
        stopping.paragraphs(stops, titles),
        padding.paragraphs(pads, {"aibd": found.default}, titles),
    )
    text = read(tmp_path, "differences.md")
    assert text.count("\n## ") == 3
    [ours] = stops["aibd"]["default"][1]
    assert (ours.improving, ours.births) == (0, 0)


def test_padded_start_is_that_of_algorithm_1():
    """Of three equal draws with two features, and a baseline that has only the first of them."""
    z = np.array([[1, 0], [0, 1], [0, 1]], dtype=np.uint8)
    draws = [z, z, z, z[:, :1]]
    engine = as_engine(draws)
    objective = Objective.of(engine.samples_info, 1.0)
    start = padding.padded_start(engine, z[:, :1], objective)
    assert start.surviving == 1
    matrix = initial_estimate(engine, z[:, :1], objective)
    assert start.loss == expected_loss(matrix, draws) == 0.5


def test_recovery_compares_within_simulations(tmp_path):
    scenarios = {
        "much noise": partial(recovery.posterior, sigma_x=1.2, n_items=8),
        "equal widths": recovery.scattered,
    }
    results = {name: recovery.measure(make, repeats=2) for name, make in scenarios.items()}
    recovery.write(tmp_path, results)
    rows = cells(read(tmp_path, "recovery.md"))
    assert len(rows) == 2 * (1 + len(recovery.METHODS))
    equal = results["equal widths"].distances
    assert np.isfinite(equal).all()
    truth, samples = recovery.scattered(1)
    best = fangs.alternatives.draws(samples)
    assert equal[list(recovery.METHODS).index("draws"), 1] == fangs.faro_loss(best, truth)


def test_posteriors_have_the_sizes_of_the_paper():
    for made, name in (
        (small_posterior(n_draws=2, burn_in=2, n_chains=2), "aibd"),
        (wide_posterior(n_draws=1, burn_in=1, n_chains=2), "alzheimers"),
        (tempered_posterior(levels={0.5: 1, 2.8: 1}, burn_in=1), "alzheimers"),
    ):
        samples, truth, _ = made
        assert truth.shape == (published.CASES[name].n_items, published.CASES[name].n_features)
        assert samples.n_items == truth.shape[0]
    simulated = make("dfa")
    assert len(simulated.samples) == published.CASES["dfa"].n_draws


@pytest.mark.parametrize("module", [markdown, recovery])
def test_examples_of_the_study_run(module):
    result = doctest.testmod(module, globs={**vars(module)})
    assert result.attempted
    assert result.failed == 0
