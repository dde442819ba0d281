"""Nested values of R, built by hand: tables, arrays, lists and what is beside them."""

from __future__ import annotations

import re
import tracemalloc

import numpy as np
import pytest

import fangs
from fangs.draws.forms.nested import WORKSPACE, Array, List, NestedForm, Other, R, Text
from fangs.draws.request import Request

STACK = np.random.default_rng(3).integers(2, size=(6, 4, 3))  # draw, item, feature
ITEMS = ["ann", "bob", "cy", "dee"]
PLAIN = fangs.Samples(STACK)
CHAINS = fangs.Samples(STACK, chains=[1, 1, 1, 2, 2, 2])


def samples(value, **options):
    """The draws of a value."""
    request = Request.of(**options)
    source = NestedForm(value, R, "draws").draws(request.variable, request).chosen(request)
    labels = {"items": source.items, "chains": source.chains, "weights": source.weights}
    return fangs.Samples(list(source.all()), **labels)


def names(value, **options):
    """What may be draws."""
    rows = NestedForm(value, R, "draws").variables(Request.of(**options))
    return [row.name for row in rows if row.holds_draws]


def array(values, *labels, **dimensions):
    """An array with labels along its dimensions, which may have names."""
    values = np.asarray(values)
    attributes = {}
    if labels or dimensions:
        along = [*labels, *dimensions.values()]
        attributes["dimnames"] = List([Text(list(x)) if x else None for x in along])
    if dimensions:
        attributes["dimnames"].attributes = {"names": Text(list(dimensions))}
    return Array(values, "integer", attributes)


def record(**values):
    return List(list(values.values()), {"names": Text(list(values))})


def workspace(**values):
    return List(list(values.values()), {"names": Text(list(values)), "class": Text([WORKSPACE])})


def frame(row_names=None, **columns):
    values = [Text(x) if isinstance(x[0], str) else array(x) for x in columns.values()]
    attributes = {"names": Text(list(columns)), "class": Text(["data.frame"])}
    attributes["row.names"] = Text(row_names) if row_names else array([-(2**31), -4])
    return List(values, attributes)


CELLS = [f"Z[{i + 1},{k + 1}]" for k in range(3) for i in range(4)]
WIDE = STACK.swapaxes(1, 2).reshape(6, 12)
P = np.linspace(0.1, 0.9, 6).reshape(6, 1)


def chain(at):
    """A matrix as coda has it, with a parameter beside the draws."""
    here = slice(3 * at, 3 * at + 3)
    return array(np.hstack([WIDE, P])[here], None, [*CELLS, "p"])


def test_a_matrix_with_names_of_entries_is_a_wide_table_and_a_list_of_them_has_chains():
    assert samples(array(np.hstack([P, WIDE]), None, ["p", *CELLS])) == PLAIN
    with pytest.raises(ValueError, match=r"Z\[1,1\]"):
        samples(array(WIDE, None, [CELLS[0], *CELLS[:-1]]))
    value = List([chain(0), chain(1)])
    assert samples(value).chains.tolist() == [0, 0, 0, 1, 1, 1]
    named = record(chain1=chain(0), chain2=chain(1))
    assert samples(named).chains.tolist() == ["chain1"] * 3 + ["chain2"] * 3
    assert samples(named, variable="chain2") == fangs.Samples(STACK[3:])
    assert names(workspace(fit=value, a=array([1, 2]))) == ["fit$Z"]
    assert samples(workspace(fit=value), variable="fit$Z") == samples(value)
    with pytest.raises(ValueError, match=r"variable='\[\[1\]\]\$Z'.*\n.*variable='\[\[2\]\]\$Z'"):
        samples(List([chain(0), chain(1), Text(["Error"])]))


FAILED = (None, Text(["Error in update.jags"]), array([-(2**31)]))


@pytest.mark.parametrize("failed", FAILED, ids=["NULL", "text", "NA"])
@pytest.mark.parametrize("at", [0, 1])
def test_a_chain_that_failed_is_not_left_out_silently(failed, at):
    for found, place in ((chain(0), "$Z"), (List([array(Z) for Z in STACK[:3]]), "")):
        both = List([found, failed] if at == 0 else [failed, found])
        for start, value in {"": both, "[[1]]": List([both]), "fit": workspace(fit=both)}.items():
            wanted = f"{start}[[{at + 1}]]{place}"
            with pytest.raises(ValueError, match=rf"variable='{re.escape(wanted)}'"):
                samples(value)
            assert names(value) == []
            read = samples(value, variable=wanted)
            assert [draw.tolist() for draw in read] == STACK[:3].tolist()
    with pytest.raises(ValueError, match=r"variable='fit1\$Z'"):
        samples(workspace(fit1=chain(0), fit2=failed, seed=array([3])))
    assert samples(workspace(fit=chain(0), note=failed)) == fangs.Samples(STACK[:3])
    assert samples(List([chain(0), array([0.5, 0.2])])) == fangs.Samples(STACK[:3])
    with pytest.raises(ValueError, match=r"variable='\[\[1\]\]\$Z'"):
        samples(List([chain(0), array([[0.5, 0.2]] * 3)]))


def test_an_array_with_names_of_entries_has_its_chains():
    wide = WIDE.reshape(2, 3, 12).swapaxes(0, 1)  # iteration, chain, variable
    assert samples(array(wide, None, None, CELLS)) == CHAINS
    labelled = samples(array(wide, iteration=None, chain=["a", "b"], variable=CELLS))
    assert labelled.chains.tolist() == ["a"] * 3 + ["b"] * 3


def test_a_list_of_columns_is_a_table():
    columns = dict(zip(CELLS, map(array, WIDE.T), strict=True))
    chains = {"1": record(**columns), "2": record(**columns)}
    assert samples(record(**chains)) == fangs.Samples([*STACK, *STACK], chains=[1] * 6 + [2] * 6)


def test_the_same_draws_of_bugs_are_read_once():
    stack = array(WIDE.reshape(2, 3, 12).swapaxes(0, 1), None, None, CELLS)
    mixed = array(WIDE[::-1], None, CELLS)
    bugs = {"n.chains": array([2]), "sims.array": stack, "sims.matrix": mixed}
    assert samples(record(**bugs, **{"sims.list": record(Z=array(STACK))})) == CHAINS


def test_an_array_of_jags_has_its_axes_in_the_names_of_its_sizes():
    stack = STACK.reshape(2, 3, 4, 3).transpose(2, 3, 1, 0)
    dim = Array(np.array(stack.shape), "integer", {"names": Text(["", "", "iteration", "chain"])})
    value = Array(stack.ravel(order="F"), "integer", {"dim": dim})
    assert samples(value) == fangs.Samples(STACK, chains=[0, 0, 0, 1, 1, 1])
    assert samples(record(Z=value, p=array(P))) == samples(value)


def test_dimensions_are_matched_by_name():
    value = array(STACK.transpose(2, 0, 1), skill=None, iteration=None, person=ITEMS)
    with pytest.raises(ValueError, match=r'dims={"item": "skill", "feature": "person"}'):
        samples(value)
    found = samples(value, dims={"item": "person", "feature": "skill"})
    assert found == fangs.Samples(STACK, items=ITEMS)
    with pytest.raises(ValueError, match="'people'"):
        samples(value, dims={"item": "people"})


def test_labels_without_names_are_those_of_the_items():
    value = record(Z=array(STACK.swapaxes(0, 1), ITEMS, None, None), K=array([3] * 6))
    assert samples(value) == fangs.Samples(STACK, items=ITEMS)


def test_an_rvar_has_its_chains_one_after_the_other():
    inside = {"draws": array(STACK), "nchains": array([2])}
    value = record(Z=List([], inside), p=List([], {"draws": array(P), "nchains": array([2])}))
    assert samples(value) == fangs.Samples(STACK, chains=[0, 0, 0, 1, 1, 1])


def test_a_long_data_frame_is_a_long_table():
    draw, item, feature = np.indices(STACK.shape).reshape(3, -1)
    value = frame(draw=draw + 1, item=item, feature=feature + 1, Z=STACK.ravel())
    value.items[1] = array(4 - item)  # a factor
    value.items[1].attributes["levels"] = Text(ITEMS[::-1])
    assert samples(value, items=ITEMS) == fangs.Samples(STACK, items=ITEMS)


def test_data_frames_may_be_a_draw_each():
    frames = [frame(ITEMS, f1=Z[:, 0], f2=Z[:, 1], f3=Z[:, 2]) for Z in STACK]
    assert samples(List(frames)) == fangs.Samples(STACK, items=ITEMS)
    frames[1].attributes = frames[1].attributes | {"row.names": Text(ITEMS[::-1])}
    assert samples(List(frames))[1].tolist() == STACK[1][::-1].tolist()
    items = [frame(item=ITEMS, f1=Z[:, 0], f2=Z[:, 1], f3=Z[:, 2]) for Z in STACK]
    assert samples(List(items)) == fangs.Samples(STACK, items=ITEMS)
    assert samples(List([frame(), frame(f1=[1, 0, 1, 1])])).n_columns.tolist() == [0, 1]


def test_labels_and_weights_are_beside_the_draws():
    draws = List([array(Z) for Z in STACK])
    beside = {"items": Text(ITEMS), "chain": array([1, 1, 1, 2, 2, 2]), "weight": array(range(6))}
    wanted = fangs.Samples(STACK, items=ITEMS, chains=[1, 1, 1, 2, 2, 2], weights=range(6))
    assert samples(workspace(Z=draws, **beside)) == wanted
    assert samples(workspace(run=record(Z=draws, **beside), chain=array([9]))) == wanted
    value = workspace(Z=draws, run=record(w=array(range(6))))
    assert samples(value, weights="run$w").weights.tolist() == list(range(6))
    with pytest.raises(ValueError, match="nothing called 'runs'"):
        samples(value, chains="runs")
    assert names(workspace(Z=draws, **beside)) == ["Z"]
    assert samples(workspace(Y=List(draws.items[::-1]), Z=draws), dims={"value": "Z"}) == PLAIN


# Sparse matrices


def sparse(rows, starts, size, values=None):
    """An object of R's package Matrix."""
    slots = {
        "i": Array(np.array(rows, dtype=np.int32), "integer"),
        "p": Array(np.array(starts, dtype=np.int32), "integer"),
        "Dim": Array(np.array(size, dtype=np.int32), "integer"),
        "x": Array(np.ones(len(rows)) if values is None else np.array(values), "double"),
        "class": Text(["dgCMatrix"]),
    }
    return Other("an object", slots)


@pytest.mark.parametrize(
    ("rows", "starts"),
    [([-1], [0, 1]), ([3], [0, 1]), ([0, 1], [1, 2]), ([0, 1], [0, 2, 1, 2]), ([0], [0, 2])],
)
def test_entries_out_of_place_are_refused(rows, starts):
    with pytest.raises(ValueError, match="sparse matrix"):
        samples(List([sparse(rows, starts, (3, len(starts) - 1))]))


def test_zeros_that_are_stored_are_zeros():
    stored = sparse([0, 2, 1], [0, 2, 3, 3], (3, 3), [1.0, 0.0, 1.0])
    found = samples(List([stored, sparse([], [0], (3, 0))]))
    assert found == fangs.Samples([[[1, 0, 0], [0, 1, 0], [0, 0, 0]], np.zeros((3, 0))])
    with pytest.raises(ValueError, match=r"\[\[1\]\] has the value 2"):
        samples(List([sparse([0, 2], [0, 2], (3, 1), [1.0, 2.0])]))


def test_a_claimed_size_takes_no_memory():
    tracemalloc.start()
    try:
        for many, n_rows in ((1, 2**31 - 1), (40, 2**28)):
            with pytest.raises(ValueError, match="sparse matri"):
                samples(List([sparse([5], [0, 1], (n_rows, 1))] * many))
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()
