"""The table of all methods."""

import numpy as np
import pytest

import fangs
from fangs import alternatives
from fangs.alternatives.compare import compare
from fangs.alternatives.registry import METHODS
from support import strategies as some

TINY = [[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]]]


DRAWS = some.noisy_draws(np.random.default_rng(3), 12, 4, 50)


@pytest.fixture(scope="module")
def table():
    return compare(DRAWS, seed=1)


def test_every_alternative_is_registered_under_its_name():
    searches = {"estimate", "fangs"}
    for name in METHODS.keys() - searches:
        assert METHODS[name].function is getattr(alternatives, name)
    others = {"NotApplicableError", "exhaustive_loss"}
    assert set(alternatives.__all__) - others == METHODS.keys() - searches


def test_methods_with_a_seed_repeat(table):
    again = compare(DRAWS, seed=1)
    for name, method in METHODS.items():
        if method.takes_seed:
            assert again[name].estimate.search.seed == 1
            assert np.array_equal(again[name].estimate, table[name].estimate)


def test_fangs_is_the_search_of_the_paper(table):
    paper = fangs.estimate(DRAWS, n_iter=1000, seed=1)
    assert np.array_equal(table["fangs"].estimate, paper)
    assert table["fangs"].estimate.search.n_iter == 1000
    assert table["estimate"].estimate.search.n_iter is None


def test_methods_that_do_not_apply_say_why(table):
    assert len(table) == len(METHODS)
    reasons = {"sequential": "equal numbers of features", "exhaustive": "12 items"}
    for method, why in reasons.items():
        row = table[method]
        assert why in row.note
        assert row.estimate is row.expected_loss is row.n_features is row.seconds is None


def test_estimate_is_no_worse_than_any_draw(table):
    assert table["estimate"].expected_loss <= table["draws"].expected_loss
    assert table.best.expected_loss <= table["estimate"].expected_loss


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


def test_errors_other_than_unfitting_draws_come_through():
    def broken(samples, *, a):
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        compare(TINY, methods={"broken": broken})


def test_a_line_per_method_has_its_name_in_the_literature(table):
    lines = str(table).splitlines()
    assert [line.split()[0] for line in lines[3 : 3 + len(METHODS)]] == list(METHODS)
    assert f"{table['estimate'].expected_loss:.6g}" in lines[3]
    assert max(map(len, lines)) <= 80
    notes = " ".join(line.strip() for line in lines[4 + len(METHODS) :])
    said = " ".join(f"{row.method}: {row.note}" for row in table if row.note)
    assert notes == said.replace("sequential: sequential", "sequential")
    known = {"modal_hamming": "DFA", "consensus": "CMC", "sequential": "SIFA"}
    for row, line in zip(table, lines[3:], strict=False):
        assert line.endswith(row.label)
        assert row.label == known.get(row.method, row.label)
    own = fangs.compare(TINY, methods={"mine": lambda s, a: fangs.assess(s[0], s)})
    assert own["mine"].label == ""
