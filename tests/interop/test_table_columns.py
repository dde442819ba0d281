"""Tables: what their columns are called, gaps, weights, and draws without features."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fangs
from support.objects import CHAINS, ITEMS, N_DRAWS, example, long_columns, long_pandas, wide_columns

DRAWS = example()
PLAIN = fangs.Samples(DRAWS, items=ITEMS, chains=np.repeat(CHAINS, N_DRAWS))


def test_columns_may_have_other_names():
    names = {"chain": "kette", "draw": "zug", "item": "person", "feature": "merkmal"}
    frame = long_pandas(DRAWS).rename(columns=names)
    assert fangs.Samples(frame, dims=names) == PLAIN
    frame = long_pandas(DRAWS).rename(columns={"chain": ".chain", "draw": ".draw"})
    assert fangs.Samples(frame) == PLAIN


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_items_without_categories_come_in_the_given_order(make):
    table = make(long_columns(DRAWS))
    assert fangs.Samples(table, items=ITEMS) == PLAIN
    assert set(fangs.Samples(table).items) == set(ITEMS)


def test_items_that_no_draw_has_can_be_named():
    frame = pd.DataFrame({"draw": [0, 1], "item": [2, 0], "feature": [0, 0]})
    assert fangs.Samples(frame, items=range(4))[0].tolist() == [[0], [0], [1], [0]]
    with pytest.raises(ValueError, match="items= lacks '2', the item in row 0 of draws"):
        fangs.Samples(frame, items=["0", "1"])


def test_features_keep_their_order_and_empty_ones_their_place():
    frame = pd.DataFrame(
        {"draw": 0, "item": [0, 1, 0, 1], "feature": [7, 7, 3, 9], "value": [1, 0, 0, 1]}
    )
    samples = fangs.Samples(frame)
    assert samples[0].tolist() == [[1, 0], [0, 1]]
    assert samples.columns(0).tolist() == [6, 8]  # as they are numbered; feature 3 is empty
    assert samples.items is None


def test_thinned_draws_have_no_gap():
    frame = pd.DataFrame({"draw": [10, 20, 30], "item": [0, 0, 0], "feature": 0})
    assert len(fangs.Samples(frame)) == 3


def test_weights_count_draws_several_times():
    frame = long_pandas(DRAWS).assign(weight=lambda f: f.draw + 1)
    weighted = fangs.Samples(frame)
    plain = PLAIN.select(np.repeat(np.arange(6), [1, 2, 3] * 2))
    assert fangs.expected_loss(DRAWS[0], weighted) == fangs.expected_loss(DRAWS[0], plain)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("form", ["long", "wide", "saved"])
def test_a_table_is_read_alike_from_a_file_and_from_memory(tmp_path, form, suffix):
    path = tmp_path / f"table{suffix}"
    if form == "saved":
        PLAIN.save(path)
        frame = pd.read_csv(path) if suffix == ".csv" else pd.read_parquet(path)
    else:
        columns = long_columns(DRAWS) if form == "long" else wide_columns(DRAWS)
        columns = columns | {"weight": [1] * len(next(iter(columns.values())))}
        frame = pd.DataFrame(columns).sample(frac=1, random_state=3)
        frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_parquet(path)
    from_file, from_memory = fangs.read(path, items=ITEMS), fangs.Samples(frame, items=ITEMS)
    assert from_file == from_memory
    assert [from_file.columns(b).tolist() for b in range(6)] == [
        from_memory.columns(b).tolist() for b in range(6)
    ]
    assert from_file.chains.tolist() == from_memory.chains.tolist()


def test_numbers_of_items_that_count_nothing_are_labels():
    frame = pd.DataFrame({"draw": [0, 0], "item": [1005, 1001], "feature": [0, 0]})
    assert fangs.Samples(frame).items == ("1001", "1005")


def test_a_row_without_a_feature_names_an_item():
    frame = pd.DataFrame({"draw": [0, 0], "item": ["a", "b"], "feature": [1, None]})
    assert fangs.Samples(frame)[0].tolist() == [[1], [0]]


def test_chains_with_a_shorter_step_show_a_gap():
    frame = pd.DataFrame(
        {"chain": [1, 1, 1, 2, 2], "draw": [1, 2, 3, 1, 3], "item": 1, "feature": 1}
    )
    with pytest.raises(ValueError, match="chain 2 of draws has no draw 2"):
        fangs.Samples(frame)
    frame["draw"] = [1, 3, 5, 2, 4]  # two thinned chains, numbered together
    assert fangs.Samples(frame).chains.tolist() == [1, 2, 1, 2, 1]


def test_wide_columns_may_count_from_0():
    frame = pd.DataFrame({"Z[0,0]": [1, 0], "Z[1,0]": [1, 1]})
    assert [draw.tolist() for draw in fangs.Samples(frame)] == [[[1], [1]], [[0], [1]]]


def test_one_wide_variable_can_be_named():
    frame = pd.DataFrame({**wide_columns(DRAWS), **wide_columns(DRAWS[::-1], "Y[{i},{k}]")})
    assert fangs.Samples(frame, variable="Z", items=ITEMS) == PLAIN
    with pytest.raises(ValueError, match="'Z', 'Y'"):
        fangs.Samples(frame, variable="X")


def test_reading_by_name_keeps_the_loss():
    """Rows in another order per draw changed the loss while they were read by position."""
    samples = fangs.datasets.example()
    rng = np.random.default_rng(1)
    names = list(samples.items)
    frames = [pd.DataFrame(draw, index=names).iloc[rng.permutation(len(names))] for draw in samples]
    reference = pd.DataFrame(samples[0], index=names).loc[frames[0].index].to_numpy()
    assert fangs.expected_loss(reference, frames) == fangs.expected_loss(samples[0], samples)
