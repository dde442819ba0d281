"""Labels and numbers that Python allows and NumPy would change: refused by name, or kept."""

import numpy as np
import pandas as pd
import pytest

import fangs

DRAWS = [np.eye(3, dtype=int)[:, :2]] * 4
HUGE = 10**400


@pytest.mark.parametrize(
    ("chains", "words"),
    [
        ([2**70, 1, 1, 1], rf"{2**70} for draw 0, which is past 64 bits"),
        ([1, 1e300, 1, 1], "1e[+]300 for draw 1, which is past 64 bits"),
        (np.array([1, 1, 2**64 - 1, 1], dtype=np.uint64), r"18446744073709551615\)? for draw 2"),
        (["a\0", "a", "a", "a"], r"'a\\x00' for draw 0"),
        (np.ma.array([1, 2, 3, 4], mask=[0, 1, 0, 0]), r"chains\[1\] is masked"),
    ],
    ids=["large", "large float", "unsigned", "null", "masked"],
)
def test_chains_that_would_become_others_are_refused(chains, words):
    with pytest.raises(ValueError, match=words):
        fangs.Samples(DRAWS, chains=chains)


def test_chains_at_the_edges_of_64_bits_are_kept():
    chains = [2**63 - 1, -(2**63), 0, 0]
    assert fangs.Samples(DRAWS, chains=chains).chains.tolist() == chains
    some = fangs.Samples(DRAWS, chains=np.array([1, 255, 1, 255], dtype=np.uint8))
    assert some.chains.tolist() == [1, 255, 1, 255]
    plain = fangs.Samples(DRAWS, chains=np.ma.array([1, 2, 1, 2])).chains
    assert type(plain) is np.ndarray


@pytest.mark.parametrize(
    "items",
    [
        [np.float32("nan"), 1, 2],
        pd.array([None, 1, 2]),
        np.array(["NaT", "2020-01-01", "2021-01-01"], dtype="M8[D]"),
        np.ma.array([1, 2, 3], mask=[1, 0, 0]),
        pd.Series([pd.NaT, pd.Timestamp(2020, 1, 1), pd.Timestamp(2021, 1, 1)]),
    ],
    ids=["float32", "NA", "NaT", "masked", "pandas NaT"],
)
def test_items_without_a_label_are_named(items):
    with pytest.raises(ValueError, match=r"items\[0\] is"):
        fangs.Samples(DRAWS, items=items)


def test_a_single_value_is_no_list_of_items():
    with pytest.raises(TypeError, match="items is a single int64 value"):
        fangs.Samples(DRAWS, items=np.array(3))


@pytest.mark.parametrize("a", [HUGE, -HUGE])
def test_penalties_too_large_for_a_float_are_refused(a):
    with pytest.raises(ValueError, match="outside"):
        fangs.estimate(DRAWS, a=a)


def test_numbers_past_64_bits_mean_what_they_say(tmp_path):
    found = fangs.estimate(DRAWS, seed=1, n_threads=2**64, max_seconds=HUGE)
    assert found.expected_loss == 0.0
    fangs.Samples(DRAWS).save(tmp_path / "d.npz")
    assert len(fangs.read(tmp_path / "d.npz", thin=2**64)) == 1
    with pytest.raises(ValueError, match="outside"):
        fangs.summary(found, DRAWS, level=HUGE)
