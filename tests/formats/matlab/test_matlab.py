"""MATLAB files: padded arrays, cells and structs, and whose axes are whose."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest

import fangs
from fangs import inspect
from fangs.draws.forms.nested import Array, List
from fangs.formats import read_matrix, read_values
from fangs.formats.matlab import load

scipy_io = pytest.importorskip("scipy.io")

RNG = np.random.default_rng(5)
DRAWS = [RNG.integers(2, size=(5, k), dtype=np.uint8) for k in (3, 1, 4, 2, 4, 3, 2)]
K = np.array([[draw.shape[1]] for draw in DRAWS])
STACK = np.stack([np.pad(draw, ((0, 0), (0, 6 - draw.shape[1]))) for draw in DRAWS])  # 7, 5, 6


def cell(values):
    """A cell, as scipy wants it."""
    made = np.empty((len(values), 1), dtype=object)
    for i, value in enumerate(values):
        made[i, 0] = value
    return made


def save(path, **variables):
    scipy_io.savemat(path, variables)
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "chain.mat"


def same(samples, wanted):
    assert len(samples) == len(wanted)
    for b, draw in enumerate(wanted):
        assert np.array_equal(samples[b], draw[:, samples.columns(b)])
        assert samples.n_ones[b] == draw.sum()
    return True


def test_sizes_in_the_file_tell_the_axes(path):
    assert same(fangs.read(save(path, Z=STACK.transpose(1, 2, 0), K=K)), STACK)
    assert same(fangs.read(save(path, Z=STACK.transpose(2, 0, 1), N=5, num_samples=7)), STACK)
    with pytest.raises(ValueError, match=r"does not fit the sizes stored with it"):
        fangs.read(save(path, Z=STACK, K=np.where(np.arange(7)[:, None] == 2, 0, K)))


def test_axes_that_nothing_tells_are_asked_for(path):
    with pytest.raises(ValueError, match="variable=") as caught:
        fangs.read(save(path, Z=STACK))
    assert len(str(caught.value).splitlines()) == 7
    assert same(fangs.read(path, variable="Z(draw, item, feature)"), STACK)
    with pytest.raises(ValueError, match="variable=") as caught:
        fangs.read(save(path, Z=STACK, N=5))
    first, second = str(caught.value).splitlines()[1:]
    assert "variable='Z(draw, item, feature)': 7 draws, 5 items" in first
    assert "variable='Z(feature, item, draw)': 6 draws, 5 items" in second


def test_an_array_of_four_dimensions_has_chains(path):
    stack = np.stack([STACK, STACK[::-1]], axis=3)
    with pytest.raises(ValueError, match=r"7 x 5 x 6 x 2 array.*variable="):
        fangs.read(save(path, Z=stack))
    samples = fangs.read(path, variable="Z(draw, item, feature, chain)")
    assert same(samples, [*STACK, *STACK[::-1]])
    assert samples.chains.tolist() == [0] * 7 + [1] * 7
    save(path, Z=cell([STACK, STACK[::-1]]))
    assert fangs.read(path, variable="Z(draw, item, feature)") == samples


def test_a_file_with_one_matrix_is_a_matrix(path):
    save(path, X=RNG.normal(size=(5, 2)), Z=DRAWS[0])
    assert np.array_equal(read_matrix(path).values, DRAWS[0])


def test_cells_hold_draws_of_different_sizes(path):
    save(path, Zs=cell(DRAWS), X=RNG.normal(size=(5, 2)))
    assert same(fangs.read(path), DRAWS)
    for variable in ("Zs", "Zs{}", "Zs{:}"):
        assert same(fangs.read(path, variable=variable), DRAWS)
    assert same(fangs.read(save(path, Zs=cell(DRAWS).T)), DRAWS)


def test_structs_in_an_array_are_draws(path):
    trees = np.empty((1, len(DRAWS)), dtype=[("Z", object), ("score", object)])
    for b, draw in enumerate(DRAWS):
        trees[0, b] = (draw, -float(b))
    save(path, tree=trees)
    assert same(fangs.read(path), DRAWS)
    assert same(fangs.read(path, variable="tree{}.Z"), DRAWS)
    assert same(fangs.read(path, variable="tree(:).Z"), DRAWS)
    scores = read_values(path, variable="tree{}.score")
    assert np.concatenate(scores).ravel().tolist() == [0, -1, -2, -3, -4, -5, -6]


def test_a_file_is_described(path):
    save(path, Zs=cell(DRAWS), chain={"Z": STACK, "K": K}, X=np.ones((5, 2)) / 3, note="hello")
    described = inspect(path)
    found = {variable.name: variable for variable in described.rows}
    assert found["Zs"].what == "list of draws"
    assert found["chain.Z"].what == "array(draw, item, feature)"
    for name in ("Zs", "chain.Z"):
        assert (found[name].n_draws, found[name].n_items) == (7, 5)
        assert found[name].n_features == (
            min(draw.any(axis=0).sum() for draw in DRAWS),
            max(draw.any(axis=0).sum() for draw in DRAWS),
        )
        assert same(eval(described.call(found[name])), DRAWS if name == "Zs" else STACK)
    assert (found["X"].what, found["note"].what) == ("a 5 x 2 matrix", "text")
    with pytest.raises(ValueError, match=r"several places.*\n  variable='Zs': 7 draws, 5 items"):
        fangs.read(path)


def test_weights_are_looked_up_and_checked(path):
    save(
        path,
        Z=cell(DRAWS),
        w=np.full((7, 1), 0.5),
        u=np.arange(7.0),
        short=np.ones(3),
        bad=-np.ones(7),
        run={"w": np.full((7, 1), 0.5)},
    )
    assert same(fangs.read(path, variable="Z", weights="w"), DRAWS)
    assert same(fangs.read(path, variable="Z", weights="run.w"), DRAWS)
    with pytest.raises(ValueError, match=r"short.*3 values.*7 draws.*weights="):
        fangs.read(path, variable="Z", weights="short")
    with pytest.raises(ValueError, match=r"weights\[0\].*-1"):
        fangs.read(path, variable="Z", weights="bad")
    assert fangs.read(path, variable="Z", weights="u").weights.tolist() == list(range(7))


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"Z": cell([DRAWS[0], DRAWS[1] * 2])}, r"Z\{2\} has the value 2 at item \d, feature 0"),
        ({"Z": cell([draw.T for draw in DRAWS])}, "5 columns are items, transpose"),
        ({"Z": DRAWS[0]}, r"Z \(a 5 x 3 matrix\)$"),
        ({"Z1": DRAWS[0], "Z2": DRAWS[1], "truth": DRAWS[0]}, r"truth.*variable='Z\*'"),
        (
            {"chain": {"Z": np.where(STACK == 1, np.nan, 0), "K": K}},
            r"draw \d of chain\.Z has the value nan",
        ),
        ({"Z": np.hstack([cell(DRAWS[:2]), cell(DRAWS[2:4])])}, r"Z \(a 2 x 2 cell.*num2cell"),
    ],
)
def test_near_misses_say_what_to_do(path, variables, words):
    with pytest.raises(ValueError, match=rf"chain\.mat.*{words}"):
        fangs.read(save(path, **variables))


@pytest.mark.parametrize(
    ("variable", "words"),
    [
        ("chain.Y", "chain has no name 'Y'; it is a list of 2 with Z, K"),
        ("Y", "no name 'Y'"),
        ("truth", "truth .a 5 x 3 matrix"),
        ("grid", r"2 x 2 cell.*num2cell\(Z, 2\)"),
        ("chain$Z", r"cannot be read from '\$Z' on; it is written as in MATLAB"),
    ],
)
def test_a_wrong_variable_is_explained(path, variable, words):
    grid = np.hstack([cell(DRAWS[:2]), cell(DRAWS[2:4])])
    save(path, chain={"Z": STACK, "K": K}, truth=DRAWS[0], grid=grid)
    with pytest.raises(ValueError, match=rf"chain\.mat.*{words}"):
        fangs.read(path, variable=variable)


def test_an_element_in_the_place_of_another_is_refused(path):
    whole = save(path, Z=cell(DRAWS)).read_bytes()
    for content in (b"text", whole[:128] + bytes(400)):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"chain\.mat.*damaged"):
            fangs.read(path)


def test_scipy_is_not_needed(path, monkeypatch):
    save(path, Z=cell(DRAWS))
    monkeypatch.setitem(sys.modules, "scipy.io", None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert same(fangs.read(path), DRAWS)


def flattened(value):
    """A value of scipy in the words of ours."""
    if hasattr(value, "toarray"):
        return value.toarray().tolist()
    if value.dtype.names is not None:
        records = [{n: flattened(r[n]) for n in value.dtype.names} for r in value.ravel(order="F")]
        return records[0] if len(records) == 1 else records
    if value.dtype == object:
        return [flattened(cell) for cell in value.ravel(order="F")]
    if value.dtype.kind == "U":
        return value.ravel().tolist()
    return value.tolist()


def plain(value):
    """A value of ours as lists and dictionaries."""
    if isinstance(value, List):
        inner = [plain(item) for item in value.items]
        return dict(zip(value.names, inner, strict=True)) if value.names else inner
    return value.array().tolist() if isinstance(value, Array) else value.data


@pytest.mark.parametrize("do_compression", [False, True])
def test_values_are_those_that_scipy_reads(path, do_compression):
    from scipy.sparse import csc_matrix

    records = np.empty((1, 3), dtype=[("Z", object), ("a_long_name_of_a_field", object)])
    for b in range(3):
        records[0, b] = (DRAWS[b], f"draw {b}")
    variables = {
        "doubles": RNG.normal(size=(3, 4)), "empty": np.zeros((0, 3)),
        "single": np.float32([[1.5]]),
        "whole": np.arange(-300, 300).reshape(20, 30), "small": np.int8([[-1, 1]]),
        "bytes": np.uint8([[0, 255]]), "large": np.array([[2**40, -(2**50)]]),
        "cube": RNG.integers(2, size=(2, 3, 4)), "text": "grün", "words": ["two", "words"],
        "cells": cell([np.eye(2), "x", cell([np.ones((1, 1))])]), "records": records,
        "chain": {"Z": STACK, "deep": {"K": K}}, "sparse": csc_matrix(DRAWS[0] * 2.5),
        "yes": np.array([[True, False]]),
    }  # fmt: skip
    scipy_io.savemat(path, variables, do_compression=do_compression)
    with warnings.catch_warnings():  # SciPy 1.18 tells that it will read sparse arrays
        warnings.simplefilter("ignore", DeprecationWarning)
        read = scipy_io.loadmat(path)
    wanted = {k: flattened(v) for k, v in read.items() if k in variables}
    assert plain(load(path)) == wanted
