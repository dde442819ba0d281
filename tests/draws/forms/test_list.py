"""Lists of matrices, tables, chains, files and folders; and what does not fit together."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import fangs
from support.objects import DRAWS, ITEMS
from support.refusals import refuses


def test_what_comes_once_is_packed_while_it_comes():
    frames = (pd.DataFrame(draw, index=list(ITEMS)) for draw in DRAWS)
    assert fangs.Samples(frames) == fangs.Samples(DRAWS, items=ITEMS)
    assert fangs.Samples(iter(DRAWS), burn_in=2, thin=2) == fangs.Samples(DRAWS[2::2])
    labelled = fangs.Samples((draw for draw in DRAWS), items=ITEMS, chains=list("aabbcc"))
    assert labelled == fangs.Samples(DRAWS, items=ITEMS, chains=list("aabbcc"))


def test_what_comes_once_is_put_into_the_order_of_items():
    frames = [pd.DataFrame(draw, index=list(ITEMS)) for draw in DRAWS]
    wanted = fangs.Samples([draw[::-1] for draw in DRAWS], items=ITEMS[::-1])
    assert fangs.Samples(iter(frames), items=ITEMS[::-1]) == wanted
    assert fangs.Samples(iter(frames), items=ITEMS[::-1], burn_in=2) == wanted[2:]
    chains = [iter(frames[:3]), iter(frames[3:])]
    found = fangs.Samples.from_chains(chains, items=ITEMS[::-1])
    assert found == fangs.Samples(wanted, chains=[0, 0, 0, 1, 1, 1])
    (row,) = fangs.inspect(iter(frames)).rows
    assert (row.n_draws, row.n_features) == (6, (0, 3))


@pytest.mark.parametrize("first", [0, 1])
def test_items_that_are_only_numbered_are_matched_by_number(first):
    numbers = np.arange(4) + first
    frames = [pd.DataFrame(draw, index=numbers).rename_axis("item") for draw in DRAWS]
    stack = xr.DataArray(
        fangs.Samples(DRAWS).to_xarray()[0].values,
        dims=("draw", "item", "feature"),
        coords={"item": numbers},
    )
    wanted = fangs.Samples([draw[::-1] for draw in DRAWS], items=numbers[::-1])
    forms = [frames, iter(frames), [frames], stack, {"Z": stack.values, "items": numbers}]
    for form in forms:
        found = fangs.Samples(form, items=numbers[::-1])
        assert [draw.tolist() for draw in found] == [draw.tolist() for draw in wanted]
        assert found.items == wanted.items
    named = fangs.Samples({"Z": frames, "items": ITEMS}, items=ITEMS[::-1])
    assert named == fangs.Samples([draw[::-1] for draw in DRAWS], items=ITEMS[::-1])


@pytest.fixture
def files(tmp_path):
    """Two chains with labels, one without, one of other items, one with two chains."""
    paths = {name: tmp_path / f"{name}.npz" for name in ("one", "two", "bare", "three", "both")}
    fangs.Samples(DRAWS[:3], items=ITEMS).save(paths["one"])
    fangs.Samples([draw[::-1] for draw in DRAWS[3:]], items=ITEMS[::-1]).save(paths["two"])
    fangs.Samples(DRAWS[:1]).save(paths["bare"])
    fangs.Samples([draw[:3] for draw in DRAWS]).save(paths["three"])
    fangs.Samples(DRAWS, items=ITEMS, chains=[0, 0, 0, 1, 1, 1]).save(paths["both"])
    return paths


def test_files_are_a_chain_each_and_matched_by_name(files):
    paths = [files["one"], files["two"]]
    wanted = fangs.Samples(DRAWS, items=ITEMS, chains=[0, 0, 0, 1, 1, 1])
    assert fangs.read(paths) == fangs.Samples(paths) == wanted
    assert fangs.read(paths, keep_chains=[1], burn_in=1) == wanted.chain(1)[1:]
    assert fangs.read(paths, weights=[1, 2, 3, 4, 5, 6]).weights.tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["one", "both"], ["both.npz", "2 chains"]),
        (["one", "bare"], ["bare.npz", "no item labels", "one.npz"]),
        (["bare", "three"], ["3 rows", "4"]),
        ([], ["empty"]),
        (["one", DRAWS[0]], ["ndarray"]),
    ],
)
def test_files_that_do_not_fit_together_are_refused(names, words, files):
    with refuses(*words):
        fangs.Samples([files.get(name, name) if isinstance(name, str) else name for name in names])


def test_a_folder_is_the_list_of_its_files(tmp_path):
    for b in range(12):
        np.save(tmp_path / f"draw{b}.npy", np.full((3, 1), b % 2))
    assert fangs.read(tmp_path).n_ones.tolist() == [0, 3] * 6  # 10 comes after 9
    (tmp_path / "notes.docx").write_text("")
    with refuses("notes.docx", error=ValueError):
        fangs.read(tmp_path)
