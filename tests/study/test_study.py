"""The verification study runs, at tiny sizes, and its pages say what was measured."""

from __future__ import annotations

import doctest
import re
from functools import partial

import numpy as np
import pytest

import fangs
from fangs.engine import as_engine
from oracles.reference import faro_loss
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
from study.draws import DrawSet, make, small_posterior, wide_posterior


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
            assert link in {*run.PAGES, "index.md"}
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
    measured = {"aibd": cases.measure(draws, seeds=[0, 1])}
    cases.write(tmp_path, {"aibd": draws}, measured)
    text = read(tmp_path, "case-studies.md")
    best = fangs.alternatives.draws(draws.samples).expected_loss
    assert f"| AIBD | {best:.2f} |" in text
    assert "16.51" in text
    assert "16.19" in text
    found = [fangs.estimate(draws.samples, seed=seed).expected_loss for seed in (0, 1)]
    assert measured["aibd"].default.losses == tuple(found)


def test_a_range_is_shown_only_where_seeds_differ():
    assert str(cases.Outcome((1.0, 1.0), 0.1)) == "1.00"
    assert str(cases.Outcome((1.0, 2.0, 4.0), 0.1)) == "2.00 (1.00 to 4.00)"


def test_more_proposals_do_not_raise_the_loss(tmp_path, draws):
    losses = iterations.measure(draws, [1, 3000], seeds=range(3))
    assert np.mean(losses[3000]) <= np.mean(losses[1])
    measured = {"aibd": cases.measure(draws, seeds=[0])}
    iterations.write(tmp_path, {"aibd": draws}, measured, {"aibd": losses})
    assert "| 3,000 |" in read(tmp_path, "iterations.md")


def test_estimates_get_sparser_with_a(tmp_path, draws):
    found = penalties.measure(draws, penalties=[0.01, 1.0, 1.99])
    ones = [int(one.matrix.sum()) for one in found.values()]
    assert ones == sorted(ones, reverse=True)
    assert ones[0] > ones[-1]
    penalties.write(tmp_path, draws, found)
    assert "1722" in read(tmp_path, "penalties.md")


def test_differences_page_shows_all_three_points(tmp_path, draws):
    found = penalties.measure(draws, penalties=[0.1, 0.5, 1.0, 1.5])
    stops = {"aibd": stopping.measure(draws, seeds=[0])}
    pads = {"aibd": padding.measure(draws, penalties=[1.0, 0.1], n_baselines=2)}
    titles = {"aibd": "AIBD"}
    differences.write(
        tmp_path,
        direction.paragraphs(found),
        stopping.paragraphs(stops, titles),
        padding.paragraphs(pads, {"aibd": found}, titles),
    )
    text = read(tmp_path, "differences.md")
    assert text.count("\n## ") == 3
    [ours] = stops["aibd"]["none helps"][1]
    assert (ours.improving, ours.births) == (0, 0)


def test_threshold_of_the_paper_is_best_in_our_reading_alone():
    for a, kept in ((0.5, "yes"), (1.5, "no")):
        row = direction._one_entry(a)
        assert row[3] == kept
        assert (row[-2] == "kept") == (kept == "yes")
        assert (row[-1] == "kept") != (kept == "yes")


def test_padding_takes_whatever_the_baseline_leaves_unmatched():
    z = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    engine = as_engine([z, z[:, :1]])
    counts = padding.padding_counts(engine, z[:, :1].astype(np.uint8), None)
    assert counts.tolist() == [[0, 0], [1, 0], [0, 1]]
    matrix = np.column_stack([z[:, :1], counts]).astype(np.uint8)
    assert faro_loss(matrix, z) == 0


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
    ):
        samples, truth, _ = made
        assert truth.shape == (published.CASES[name].n_items, published.CASES[name].n_features)
        assert samples.n_items == truth.shape[0]
    simulated = make("dfa")
    assert len(simulated.samples) == published.CASES["dfa"].n_draws


def test_index_links_every_page(tmp_path):
    run.write_index(tmp_path, {"draws": 1.0}, 0.0)
    assert all(f"({page})" in read(tmp_path, "index.md") for page in run.PAGES)


def test_recovery_names_a_difference_only_where_the_interval_excludes_zero():
    rng = np.random.default_rng(1)
    base = rng.uniform(10, 20, size=40)
    shifts = np.array([-4.0, 4.0] + [0.0] * (len(recovery.METHODS) - 3))
    others = base + shifts[:, None] + rng.normal(size=(len(shifts), 40))
    said = recovery._verdict(recovery.Recovered(np.vstack([base, others]), 5.0))
    _, nearest, farthest, *equal = (f"`{method}`" for method in recovery.METHODS)
    farther, rest = said.split(" Shown to be nearer: ")
    nearer, undecided = rest.split(" No difference shown: ")
    assert farther.endswith(f": {farthest}.")
    assert nearer == f"{nearest}."
    assert all(method in undecided for method in equal)


@pytest.mark.parametrize("module", [markdown, recovery])
def test_examples_of_the_study_run(module):
    result = doctest.testmod(module, globs={**vars(module)})
    assert result.attempted
    assert result.failed == 0
