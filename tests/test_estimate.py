"""An Estimate: what it holds, how it prints, and that it survives a file."""

import dataclasses
import sys

import numpy as np
import pytest
from hypothesis import given

import fangs
from fangs._extras import MissingExtraError, require
from fangs.engine import ThreadedEngine
from fangs.estimate import Estimate, load
from fangs.search.record import Search, Start
from oracles import reference as ref
from support.checks import check_estimate, exact_changes, is_flip_optimal
from support.strategies import estimate_and_draws, penalties


def a_start(**fields):
    return Start(method="baseline", n_draws=4, **fields)


SEARCH = Search(
    seed=7,
    n_init=2,
    n_sweet=1,
    n_iter=None,
    max_seconds=None,
    starts=(
        a_start(draw=4, initial_loss=2.5, loss=1.25, flips=3, n_features=2),
        a_start(draw=0, initial_loss=3.0, loss=None, flips=0, n_features=3),
    ),
    flips=3,
    stopped_because="no single flip lowers the expected loss",
    seconds={"start": 0.25, "sweeten": 0.5},
)


THIRDS = np.array([0.0, 1 / 3, 2 / 3, 1 / 3])


def an_estimate(**changes):
    fields = {
        "matrix": np.array([[1, 0], [1, 1], [0, 1]]),
        "expected_loss": 1.25,
        "a": 1.0,
        "proportions": np.array([[0.9, 0.1], [0.8, 0.75], [0.25, 1.0]]),
        "losses": np.array([1.0, 2.0, 1.0, 1.0]),
        "items": ("ann", "bob", "cy"),
        "is_flip_optimal": True,
        "lower_bound": None,
        "search": SEARCH,
    }
    return Estimate(**(fields | changes))


def no_features(n_items=3):
    empty = np.zeros((n_items, 0))
    items = an_estimate().items if n_items else ()
    return an_estimate(matrix=empty, proportions=empty, items=items)


def wide(n_items=60, n_features=70):
    rng = np.random.default_rng(3)
    matrix = rng.integers(0, 2, (n_items, n_features))
    return an_estimate(matrix=matrix, proportions=rng.random((n_items, n_features)), items=None)


@given(estimate_and_draws(max_items=3, max_features=3), penalties)
def test_an_allocation_is_evaluated_by_the_definitions(problem, a):
    matrix, draws = problem
    engine = ThreadedEngine(fangs.Samples(draws, items=list("abc")[: len(matrix)]))
    e = Estimate.of(engine, matrix, a)
    check_estimate(e, draws, a)
    assert np.array_equal(e.matrix, ref.left_ordered(matrix))
    changes = exact_changes(e.matrix, draws, a)
    assert e.n_ties == int((changes == 0).sum())
    assert e.is_flip_optimal == is_flip_optimal(e.matrix, draws, a)
    assert e.items == tuple("abc")[: len(matrix)]
    assert (e.lower_bound, e.search) == (None, None)
    assert (e.proportions >= 0).all()
    assert (e.proportions <= 1).all()
    total = sum(ref.max_overlap(e.matrix, draw) for draw in draws)
    assert (e.proportions * e.matrix).sum() * len(draws) == pytest.approx(total)


def test_counts_and_features_follow_the_matrix():
    e = an_estimate()
    assert (e.n_items, e.n_features, e.n_ones, e.n_draws) == (3, 2, 4, 4)
    assert e.features == (("ann", "bob"), ("bob", "cy"))
    assert an_estimate(items=None).features == ((0, 1), (1, 2))
    assert no_features().features == ()


def test_it_is_an_array_for_numpy():
    e = an_estimate()
    assert np.asarray(e) is e.matrix
    assert np.asarray(e, dtype=float).dtype == np.float64
    copied = np.array(e)
    copied[0, 0] = 0
    assert e.matrix[0, 0] == 1
    with pytest.raises(ValueError, match="uncopied"):
        e.__array__(dtype=float, copy=False)
    assert e.__array__(copy=False) is e.matrix


def test_the_screen_draws_a_small_matrix():
    text = str(an_estimate())
    assert text.splitlines() == [
        "Feature allocation: 2 features over 3 items, 4 ones, from 4 draws",
        "Expected loss 1.25 at a = 1",
        "No single flip lowers it",
        "Expected errors: 14 % of the ones (false discovery rate), 18 % of the zeros",
        "",
        "  feature 1 2",
        "  ann     ■ ·",
        "  bob     ■ ■",
        "  cy      · ■",
        "  items   2 2",
        "",
        "Search: 2 starts, 1 sweetened, 3 flips, 0.75 s, seed 7",
        "Stopped: no single flip lowers the expected loss",
    ]


def test_the_screen_lists_the_features_of_a_large_matrix():
    text = str(wide())
    assert "mean proportion" in text
    assert "and 30 more features" in text
    assert "■" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) <= 50


@pytest.mark.parametrize(("n_items", "n_features"), [(1, 1), (40, 20), (40, 21), (41, 2), (9, 9)])
def test_no_line_of_the_screen_is_too_long(n_items, n_features):
    items = tuple(f"item {'x' * i}" for i in range(n_items))
    matrix = np.ones((n_items, n_features))
    e = an_estimate(matrix=matrix, proportions=matrix, items=items)
    assert max(map(len, str(e).splitlines())) <= 80


def test_the_screen_tells_the_gap_to_the_lower_bound():
    assert "Lower bound 1: at most 0.25 above the optimum, 20.0% of the loss" in str(
        an_estimate(lower_bound=1.0)
    )
    assert "No allocation has a lower one" in str(an_estimate(lower_bound=1.25))


def test_to_xarray_names_items_and_features():
    data = an_estimate().to_xarray()
    assert data["Z_hat"].sel(item="cy", feature=2) == 1
    assert data["probability"].sel(item="ann", feature=1) == 0.9
    assert data["loss"].dims == ("chain", "draw")
    assert data.attrs["expected_loss"] == 1.25


@pytest.mark.parametrize(
    "e",
    [
        an_estimate(),
        an_estimate(items=None, search=None, lower_bound=0.1 + 0.2),
        an_estimate(
            items=(1, "zwei", 3.5), is_flip_optimal=False, expected_loss=1 / 3, losses=THIRDS
        ),
        no_features(),
        no_features(0),
        wide(),
    ],
    ids=["plain", "bare", "mixed labels", "no features", "no items", "wide"],
)
def test_load_gives_back_what_save_wrote(e, tmp_path):
    path = tmp_path / "estimate.npz"
    e.save(path)
    again = load(path)
    for field in dataclasses.fields(Estimate):
        before, after = getattr(e, field.name), getattr(again, field.name)
        if isinstance(before, np.ndarray):
            assert before.dtype == after.dtype
            assert before.shape == after.shape
            assert before.tobytes() == after.tobytes()
        else:
            assert before == after
            assert type(before) is type(after)
    assert [p.name for p in tmp_path.iterdir()] == ["estimate.npz"]


@pytest.mark.parametrize(("method", "missing"), [("to_frame", "pandas"), ("to_xarray", "xarray")])
def test_a_missing_extra_is_named(method, missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=rf"{missing}.*pip install 'fangs\[all\]'"):
        getattr(an_estimate(), method)()


def test_a_broken_dependency_is_not_called_missing(monkeypatch):
    def broken(name, *args, **kwargs):
        raise ModuleNotFoundError("No module named 'inner'", name="inner")

    monkeypatch.setattr("fangs._extras.import_module", broken)
    with pytest.raises(ModuleNotFoundError, match="inner") as caught:
        require("outer", extra="all")
    assert not isinstance(caught.value, MissingExtraError)
