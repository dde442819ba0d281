"""Mappings: which entries are the draws, what is said beside them, and what never joins them."""

import numpy as np
import pandas as pd
import pytest

import fangs
from fangs.draws.open import form_of
from fangs.draws.request import Request
from support.objects import BY_CHAIN, DRAWS, ITEMS, OF_CHAIN, STACK

W = np.random.default_rng(0).normal(size=(6, 4, 3))
NUMBERED = {f"draw_{b + 8}": draw for b, draw in enumerate(DRAWS)}  # 10 comes after 9


def refused(given, *words, error=ValueError, **options):
    pattern = "".join(f"(?=.*{word})" for word in words)
    with pytest.raises(error, match=f"(?s){pattern}"):
        fangs.Samples(given, **options)


# Which entry


@pytest.mark.parametrize(
    "more",
    [
        {"alpha": np.ones(6), "W": W, "note": "text", "n": 3},
        *(
            {name: other}
            for name in ("truth", "Z_hat", "data", "Z_sim")
            for other in (DRAWS[0], STACK[:, :2], W[0])
        ),
        {"obs": np.array([0.1, 0.2, 0.3, 0.4])},  # the name of labels, but of data
    ],
    ids=list,
)
def test_what_is_no_draws_does_not_join_them(more):
    assert fangs.Samples(more | {"Z": STACK}) == fangs.Samples(DRAWS)


def test_two_variables_are_refused_with_both_calls():
    given = {"alpha": np.ones(6), "W": W, "Z": STACK, "Z2": STACK[::-1]}
    refused(given, "variable='Z'", "variable='Z2'")
    refused({"Z": STACK, "B": STACK}, "variable='Z'", "variable='B'")
    for options in ({"variable": "Z"}, {"dims": {"value": "Z"}}):
        assert fangs.Samples(given, **options) == fangs.Samples(DRAWS)
    refused(given, "'Y'", "alpha, W, Z, Z2", variable="Y")
    refused(given, r"draws\['W'\]", variable="W")
    refused(given, r"draws\['alpha'\]", variable="alpha", error=TypeError)


def test_nothing_like_draws_is_refused_with_what_there_is():
    refused({"alpha": np.ones(3), "X": np.eye(3)}, "alpha", "X .a 3 x 3 matrix")
    refused({"W": W}, "W", r"\(6, 4, 3\)", "0 and 1")
    refused({}, "nothing")


def test_entries_may_be_lists_frames_and_mappings():
    wanted = fangs.Samples(DRAWS)
    assert fangs.Samples({"Z": DRAWS, "W": W.tolist()}) == wanted
    assert fangs.Samples({"Z": STACK.tolist(), "alpha": [1.5] * 6}) == wanted
    assert fangs.Samples({"posterior": {"Z": STACK, "W": W}, "constants": {"n": 4}}) == wanted
    frames = [pd.DataFrame(draw, index=list(ITEMS)) for draw in DRAWS]
    assert fangs.Samples({"Z": frames}) == fangs.Samples(DRAWS, items=ITEMS)
    two = {"posterior": {"Z": STACK, "U": STACK}}
    refused(two, "variable='posterior/Z'", "variable='posterior/U'")
    assert fangs.Samples(two, variable="posterior/Z") == wanted


# Labels and weights


def test_labels_may_have_any_name():
    given = {"Z": STACK, "who": ITEMS, "run": OF_CHAIN, "w": np.arange(6) / 4, "b": np.arange(6)}
    wanted = fangs.Samples(DRAWS, items=ITEMS, chains=OF_CHAIN, weights=np.arange(6) / 4)
    dims = {"item": "who", "chain": "run", "weight": "w", "draw": "b"}
    assert fangs.Samples(given, dims=dims) == wanted
    refused(given, "'v'", "'Z', 'who'", weights="v")
    numbers = fangs.Samples({"Z": STACK, "obs": [3, 1, 4, 5]}, dims={"item": "obs"})
    assert numbers.items == ("3", "1", "4", "5")


def test_chains_and_weights_may_have_the_axes_of_the_draws():
    given = {"Z": BY_CHAIN, "weights": np.arange(6).reshape(2, 3)}
    assert fangs.Samples(given) == fangs.Samples(DRAWS, chains=OF_CHAIN, weights=np.arange(6))
    refused(given | {"weights": np.arange(6).reshape(3, 2)}, "'weights'", r"\(3, 2\)")
    given = {"Z": BY_CHAIN, "chains": ["warm", "cold"]}
    assert fangs.Samples(given).chains.tolist() == ["warm"] * 3 + ["cold"] * 3
    column = {"Z": STACK, "weights": np.arange(6)[:, None], "chains": OF_CHAIN[None, :]}
    assert fangs.Samples(column) == fangs.Samples(DRAWS, chains=OF_CHAIN, weights=np.arange(6))


@pytest.mark.parametrize("name", ["chains", "weights"])
def test_labels_of_another_number_of_draws_are_refused(name):
    given = {"Z": STACK, name: [1, 2, 3]}
    refused(given, f"'{name}'", r"\b3\b", r"\b6\b", rf"{name}=\[")
    own = {name: [1, 2, 3, 3, 2, 1]}
    assert fangs.Samples(given, **own) == fangs.Samples(DRAWS, **own)
    refused({"Z": STACK, "items": list("abc")}, "3 labels", "4 items")


# Chains


def test_a_dict_of_chains_keeps_names_and_lengths():
    frames = [pd.DataFrame(Z, index=list(ITEMS)) for Z in DRAWS]
    turned = [frame.loc[list(ITEMS[::-1])] for frame in frames[:2]]
    samples = fangs.Samples({"warm": frames, "cold": turned})
    assert samples.info.chain_names == ("warm", "cold")
    assert samples == fangs.Samples(
        [*DRAWS, *DRAWS[:2]], items=ITEMS, chains=["warm"] * 6 + ["cold"] * 2
    )
    assert fangs.Samples({7: DRAWS, 3: STACK}).info.chain_names == (3, 7)


def test_chains_may_be_numbered_and_have_labels_beside_them():
    halves = {"chain1": STACK[:3], "chain2": STACK[3:]}
    wanted = fangs.Samples(DRAWS, chains=["chain1"] * 3 + ["chain2"] * 3)
    assert fangs.Samples(halves) == wanted
    assert fangs.Samples(halves | {"alpha": np.ones(6), "Z_true": DRAWS[0]}) == wanted
    assert fangs.Samples(halves | {"items": ITEMS}).items == ITEMS
    nested = {name: {"Z": part, "alpha": np.ones(3)} for name, part in halves.items()}
    assert fangs.Samples(nested) == wanted
    some = fangs.Samples(halves | {"U": STACK}, variable=["chain2", "chain1"])
    assert some.info.chain_names == ("chain2", "chain1")
    (row,) = fangs.inspect(halves).rows
    assert (row.n_draws, row.chains) == (6, 2)


def test_chains_that_do_not_fit_are_refused():
    refused({"a": np.zeros((2, 3, 2)), "b": np.zeros((2, 4, 2))}, r"draws\['b'\]", "4", "3")
    refused({"a": fangs.Samples(DRAWS, chains=OF_CHAIN), "b": DRAWS}, r"draws\['a'\]", "2 chains")
    refused({"a": DRAWS, "b": [DRAWS[0], 3 * DRAWS[1]]}, r"draws\['b'\]\[1\]", r"\b3\b")
    refused({"V": BY_CHAIN, "U": BY_CHAIN}, "variable='V'", "variable='U'")


# Matrices with numbers in their names


def test_numbered_matrices_are_a_draw_each():
    assert fangs.Samples(NUMBERED) == fangs.Samples(DRAWS)
    assert fangs.Samples(NUMBERED | {"alpha": np.ones(6)}) == fangs.Samples(DRAWS)
    assert fangs.Samples({"Z": {"0": DRAWS[0]}}) == fangs.Samples(DRAWS[:1])
    frames = {
        f"{b}": pd.DataFrame(draw, index=list(ITEMS)).iloc[:: (-1) ** b]
        for b, draw in enumerate(DRAWS)
    }
    assert fangs.Samples(frames) == fangs.Samples(DRAWS, items=ITEMS)


@pytest.mark.parametrize("name", ["truth", "Z_hat", "X", "V"])
def test_a_matrix_among_numbered_ones_is_refused(name):
    given = NUMBERED | {name: DRAWS[1]}
    refused(given, f"'{name}'", r"variable='draw_\*'")
    assert fangs.Samples(given, variable="draw_*") == fangs.Samples(DRAWS)


def test_numbered_matrices_that_are_no_draws_are_refused():
    refused(NUMBERED | {"draw_99": np.ones((5, 2))}, "draw_8 to draw_99", r"\b4\b", r"\b5\b")
    refused({"W1": W[0], "W2": W[1]}, "W1 to W2", "0 and 1")
    refused({"arr_0": DRAWS[0]}, r"a 4 x 2 matrix")
    with pytest.raises(ValueError, match=r"draws\['draw_9'\].*\b2\b"):
        fangs.Samples(NUMBERED | {"draw_9": 2 * np.ones((4, 1))})


# Ragged rows


ROWS = {
    "Z": np.concatenate([draw.T for draw in DRAWS]),
    "n_features": [draw.shape[1] for draw in DRAWS],
}


def test_ragged_rows_that_do_not_fit_are_refused():
    refused(ROWS | {"n_features": [3, 4]}, r"\b11\b", r"\b7\b")
    refused(ROWS | {"columns": np.zeros(11, int), "n_columns": np.zeros(6, int)}, "n_columns")
    refused(ROWS | {"Z": 2 * ROWS["Z"]}, "Z")


# One matrix


def test_the_only_matrix_is_an_allocation():
    given = {"Z_hat": DRAWS[0], "items": ITEMS, "feature": ["tall", "wide"], "p": W[0]}
    found = form_of(given).matrix(Request())
    assert (found.values.tolist(), found.items) == (DRAWS[0].tolist(), ITEMS)
    assert found.features == ("tall", "wide")
    with pytest.raises(ValueError, match="Z_hat, U"):
        form_of(given | {"U": DRAWS[1]}).matrix(Request())


@pytest.mark.parametrize("failed", [None, "error", 0.5 * np.ones((3, 4, 2)), []])
@pytest.mark.parametrize("names", [("chain1", "chain2"), (0, 1)])
def test_a_chain_that_failed_is_not_left_out_without_a_word(names, failed):
    draws = np.ones((3, 4, 2), dtype=int)
    given = dict(zip(names, (draws, failed), strict=True))
    with pytest.raises(ValueError, match=r"leave it out.*variable='"):
        fangs.Samples(given)
    assert len(fangs.Samples(given, variable=str(names[0]))) == 3
