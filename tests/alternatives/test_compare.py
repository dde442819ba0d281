"""The table of all methods."""

import dataclasses

import numpy as np
import pytest

import fangs
from fangs import alternatives
from fangs.alternatives.compare import compare
from fangs.alternatives.registry import METHODS
from support import strategies as some

TINY = [[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]]]


@pytest.fixture(scope="module")
def table():
    return compare(some.noisy_draws(np.random.default_rng(3), 12, 4, 50), seed=1)


def test_every_method_has_a_line(table):
    assert [row.method for row in table] == list(METHODS)
    assert len(table) == len(METHODS)


def test_every_alternative_is_registered_under_its_name():
    searches = {"estimate", "fangs"}
    for name in METHODS.keys() - searches:
        assert METHODS[name].function is getattr(alternatives, name)
    others = {"NotApplicableError", "exhaustive_loss"}
    assert set(alternatives.__all__) - others == METHODS.keys() - searches


def test_methods_with_a_seed_repeat(table):
    draws = some.noisy_draws(np.random.default_rng(3), 12, 4, 50)
    again = compare(draws, seed=1)
    for name, method in METHODS.items():
        if method.takes_seed:
            assert again[name].estimate.search.seed == 1
            assert np.array_equal(again[name].estimate, table[name].estimate)


def test_fangs_is_the_search_of_the_paper(table):
    draws = some.noisy_draws(np.random.default_rng(3), 12, 4, 50)
    paper = fangs.estimate(draws, n_iter=1000, seed=1)
    assert np.array_equal(table["fangs"].estimate, paper)
    assert table["fangs"].estimate.search.n_iter == 1000
    assert table["estimate"].estimate.search.n_iter is None


def test_lines_say_what_the_methods_say(table):
    row = table["draws"]
    assert row.expected_loss == row.estimate.expected_loss
    assert (row.n_features, row.n_ones) == (row.estimate.n_features, row.estimate.n_ones)
    assert row.seconds > 0
    assert row.note == ""


def test_methods_that_do_not_apply_say_why(table):
    for method, why in {
        "sequential": "equal numbers of features",
        "exhaustive": "12 items",
    }.items():
        row = table[method]
        assert why in row.note
        assert row.estimate is row.expected_loss is row.n_features is row.seconds is None


def test_warnings_become_notes(table):
    assert "no two of the 50 draws" in table["map"].note


def test_estimate_is_no_worse_than_any_draw(table):
    assert table["estimate"].expected_loss <= table["draws"].expected_loss
    assert table.best.expected_loss <= table["estimate"].expected_loss


def test_exhaustive_is_the_best_where_it_applies():
    table = compare(TINY, seed=1)
    assert table["exhaustive"].expected_loss == table.best.expected_loss == pytest.approx(1 / 3)


def test_prints_a_line_per_method(table):
    lines = str(table).splitlines()
    assert lines[0] == "Expected FARO loss at a = 1"
    assert [line.split()[0] for line in lines[3 : 3 + len(METHODS)]] == list(METHODS)
    assert f"{table['estimate'].expected_loss:.6g}" in lines[3]
    assert max(map(len, lines)) <= 80
    notes = " ".join(line.strip() for line in lines[4 + len(METHODS) :])
    said = " ".join(f"{row.method}: {row.note}" for row in table if row.note)
    assert notes == said.replace("sequential: sequential", "sequential")
    assert f"<fangs.Comparison: {len(METHODS)} methods, lowest loss" in repr(table)


def test_to_frame_keeps_gaps(table):
    frame = table.to_frame()
    assert frame.index.tolist() == list(METHODS)
    assert frame.loc["draws", "n_ones"] == table["draws"].n_ones
    assert frame["n_features"].isna().sum() == 2
    assert frame.loc["sequential", "note"].startswith("sequential needs")


def test_methods_are_chosen_by_name_and_run_at_a():
    table = compare(TINY, methods=["pairwise", "draws", "pairwise"], a=0.5)
    assert [row.method for row in table] == ["pairwise", "draws"]
    assert table["draws"].estimate.a == table.a == 0.5


def test_methods_of_ones_own():
    def first(samples, *, a):
        return alternatives.draws([samples[0]], a=a)

    row = compare(TINY, methods={"first": first})["first"]
    assert np.array_equal(row.estimate.matrix, fangs.left_ordered(TINY[0]))
    assert row.expected_loss == fangs.expected_loss(TINY[0], TINY)  # of all draws, not of the first
    assert "about all draws, at a = 1" in row.note


def test_a_method_that_minds_no_penalty_is_compared_at_the_one_asked_for():
    row = compare(TINY, methods={"mine": lambda s, a: fangs.assess(s[2], s)}, a=0.5)["mine"]
    assert row.expected_loss == fangs.expected_loss(TINY[2], TINY, a=0.5)
    assert row.estimate.a == 0.5
    fine = compare(TINY, methods={"mine": lambda s, a: fangs.assess(s[2], s, a=a)}, a=0.5)["mine"]
    assert (fine.expected_loss, fine.note) == (row.expected_loss, "")


def test_a_method_that_returns_no_estimate_is_named():
    with pytest.raises(TypeError, match=r"methods\['mine'\] returned list, not an Estimate"):
        compare(TINY, methods={"mine": lambda s, a: [[1], [1]]})


def test_bad_methods_are_refused():
    with pytest.raises(ValueError, match="'magic', which is none of estimate"):
        compare(TINY, methods=["magic"])
    with pytest.raises(TypeError, match="a list of names"):
        compare(TINY, methods="draws")
    with pytest.raises(KeyError, match="was not compared"):
        compare(TINY, methods=["draws"])["map"]


def test_errors_other_than_unfitting_draws_come_through():
    def broken(samples, *, a):
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        compare(TINY, methods={"broken": broken})


def test_the_table_is_frozen(table):
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.a = 2.0
    assert isinstance(table["draws"].estimate, fangs.Estimate)


def test_rows_are_known_by_the_names_of_the_literature(draws):
    table = fangs.compare(draws.select(range(40)), seed=1)
    labels = {row.method: row.label for row in table}
    assert labels["fangs"] == "FANGS as published"
    for name, label in {
        "modal_hamming": "DFA",
        "consensus": "CMC",
        "sequential": "SIFA",
        "pairwise": "PSM, least squares",
        "map": "MAP, zero-one loss",
        "draws": "draws method",
    }.items():
        assert labels[name] == label
        line = next(line for line in str(table).splitlines() if line.startswith(f"{name} "))
        assert line.endswith(label)
    assert table.to_frame().loc["fangs", "label"] == "FANGS as published"
    own = fangs.compare(
        draws, methods={"mine": lambda samples, a: fangs.assess(samples[0], samples)}
    )
    assert own["mine"].label == ""
