"""Every format gives back what was written, and leaves out the same draws, as plain lists say."""

from __future__ import annotations

import numpy as np
import pytest

import fangs
from fangs.io import registry

WRITTEN = list(registry.SAMPLES_WRITERS)


def ragged(n_items, widths, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(2, size=(n_items, k), dtype=np.uint8) for k in widths]


LABELLED = fangs.Samples(
    ragged(5, [3, 0, 1, 4, 2, 2]),
    items=["ann", "b,b", "ünì", 'say "so"', "7"],
    chains=["x", "x", "x", "y", "y", "y"],
)
CASES = {
    "labelled": LABELLED,
    "plain": fangs.Samples(ragged(9, [2, 3, 1])),
    "uneven chains": fangs.Samples(ragged(4, [2, 0, 3, 1, 2]), chains=[0, 0, 1, 1, 1]),
    "chains in turns": fangs.Samples(ragged(4, [2, 2, 3, 1]), chains=[0, 1, 0, 1]),
    "first draw without features": fangs.Samples([np.zeros((3, 0)), np.ones((3, 2))]),
    "no features at all": fangs.Samples([np.zeros((3, 0))] * 2, items=["abc", "d", "NA"]),
    "empty columns": fangs.Samples([[[0, 1, 0, 1], [0, 0, 0, 1]], [[0, 0, 1], [0, 0, 0]]]),
    "one item": fangs.Samples([[[1]], [[0]], [[1, 1]]]),
    "other positions as labels": fangs.Samples(ragged(3, [2, 1]), items=[2, 1, 3]),
    "numbers as labels": fangs.Samples(ragged(3, [2, 1]), items=[30, 4, 17]),
}


def plain(samples):
    return [draw.tolist() for draw in samples]


def same(found, wanted):
    assert plain(found) == plain(wanted)
    assert found.items == wanted.items
    chains = None if wanted.chains is None else wanted.chains.tolist()
    assert (None if found.chains is None else found.chains.tolist()) == chains


@pytest.mark.parametrize("suffix", WRITTEN)
@pytest.mark.parametrize("case", CASES)
def test_a_file_gives_back_what_was_written(suffix, case, tmp_path):
    path = tmp_path / f"draws{suffix}"
    CASES[case].save(path)
    same(fangs.read(path), CASES[case])
    assert list(tmp_path.iterdir()) == [path]
    CASES[case].save(path)  # and again, over the old one
    same(fangs.read(path), CASES[case])


@pytest.mark.parametrize("suffix", [s for s in WRITTEN if s != ".json"])  # sets have no positions
def test_a_file_gives_back_the_positions_of_columns(suffix, tmp_path):
    samples = CASES["empty columns"]
    samples.save(tmp_path / f"draws{suffix}")
    found = fangs.read(tmp_path / f"draws{suffix}")
    assert [found.columns(b).tolist() for b in range(2)] == [[1, 3], [2]]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_burn_in_and_thinning_are_by_chain(suffix, tmp_path):
    draws = ragged(4, [1, 2, 3, 4, 5, 1, 2, 3, 4])
    labels = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
    path = tmp_path / f"draws{suffix}"
    fangs.Samples(draws, chains=labels).save(path)
    for burn_in, thin, chains in [(0, 1, None), (1, 2, None), (3, 5, None), (2, 1, [1]), (0, 3, 0)]:
        kept = []
        for label in (0, 1):
            if chains is None or label in np.atleast_1d(chains):
                kept += [b for b in range(9) if labels[b] == label][burn_in::thin]
        found = fangs.read(path, burn_in=burn_in, thin=thin, chains=chains)
        same(found, fangs.Samples([draws[b] for b in kept], chains=labels[kept]))
    with pytest.raises(ValueError, match=r"draws.*burn_in = 4 leaves no draw: chain 1 has 4 draws"):
        fangs.read(path, burn_in=4)
    with pytest.raises(ValueError, match="there is no chain 2; there are 0, 1"):
        fangs.read(path, chains=[2])


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_list_of_files_is_one_chain_each(suffix, tmp_path):
    parts = [LABELLED.select([0, 1, 2]), LABELLED.select([3, 4])]
    paths = [tmp_path / f"{i}{suffix}" for i in range(2)]
    for part, path in zip(parts, paths, strict=True):
        fangs.Samples(list(part), items=part.items).save(path)
    found = fangs.read(paths)
    same(found, fangs.Samples([*parts[0], *parts[1]], items=LABELLED.items, chains=[0, 0, 0, 1, 1]))
    same(fangs.read(paths, chains=[1], burn_in=1), fangs.Samples(
        [parts[1][1]], items=LABELLED.items, chains=[1]
    ))  # fmt: skip


def test_files_of_a_list_must_fit_together(tmp_path):
    LABELLED.save(tmp_path / "both.npz")
    fangs.Samples(ragged(5, [2])).save(tmp_path / "none.npz")
    fangs.Samples(ragged(4, [2])).save(tmp_path / "four.npz")
    with pytest.raises(ValueError, match=r"both\.npz' has several chains"):
        fangs.read([tmp_path / "both.npz", tmp_path / "none.npz"])
    fangs.read(tmp_path / "both.npz", chains=["x"]).save(tmp_path / "one.npz")
    with pytest.raises(ValueError, match=r"none\.npz' has other item labels than .*one\.npz"):
        fangs.read([tmp_path / "one.npz", tmp_path / "none.npz"])
    with pytest.raises(ValueError, match=r"draws\[1\] has 4 rows"):
        fangs.read([tmp_path / "none.npz", tmp_path / "four.npz"])
    with pytest.raises(ValueError, match="empty list"):
        fangs.read([])


@pytest.mark.parametrize("suffix", WRITTEN)
def test_items_label_a_file_without_labels(suffix, tmp_path):
    draws = ragged(3, [2, 1])
    draws[0][:] = [[1, 0], [1, 1], [0, 1]]
    path = tmp_path / f"draws{suffix}"
    fangs.Samples(draws).save(path)
    same(fangs.read(path, items=["a", "b", "c"]), fangs.Samples(draws, items=["a", "b", "c"]))
    fangs.Samples(draws, items=["x", "y", "z"]).save(path)
    if suffix in (".csv", ".tsv", ".parquet"):
        with pytest.raises(ValueError, match="items= lacks 'x'"):
            fangs.read(path, items=["a", "b", "c"])
    else:
        with pytest.raises(ValueError, match="items= differs"):
            fangs.read(path, items=["a", "b", "c"])


def test_weights_count_a_draw_several_times(tmp_path):
    draws = ragged(4, [2, 3, 1])
    fangs.Samples(draws).save(tmp_path / "d.npz")
    np.savez(tmp_path / "w.npz", *draws, weights=[2, 0, 3])
    repeated = [draws[0]] * 2 + [draws[2]] * 3
    matrix = draws[0]
    wanted = fangs.expected_loss(matrix, repeated)
    assert fangs.expected_loss(matrix, fangs.read(tmp_path / "w.npz")) == wanted
    found = fangs.read(tmp_path / "d.npz", weights=[2, 0, 3])
    assert fangs.expected_loss(matrix, found) == wanted
    for weights, reason in [([1, 2], r"shape \(2,\)"), ([1, -1, 1], "-1"), ([0, 0, 0], "0")]:
        with pytest.raises(ValueError, match=reason):
            fangs.read(tmp_path / "d.npz", weights=weights)


@pytest.mark.parametrize("source", WRITTEN)
def test_convert_goes_from_any_form_to_any(source, tmp_path):
    weighted = fangs.Samples(list(LABELLED), items=LABELLED.items, chains=LABELLED.chains,
                             weights=[3, 1, 0, 2, 1, 5])  # fmt: skip
    for name, samples in {"labelled": LABELLED, "weighted": weighted}.items():
        samples.save(tmp_path / f"{name}{source}")
        for target in WRITTEN:
            path = tmp_path / f"{name}-from-{source[1:]}{target}"
            fangs.convert(tmp_path / f"{name}{source}", path)
            assert fangs.read(path) == samples, (source, target)
            fangs.convert(tmp_path / f"{name}{source}", path, burn_in=1, chains=["y"])
            assert fangs.read(path) == samples.select([4, 5]), (source, target)


def test_convert_takes_draws_and_checks_the_target_first(tmp_path):
    fangs.convert([np.eye(2)], tmp_path / "d.json", items=["a", "b"])
    assert fangs.read(tmp_path / "d.json").items == ("a", "b")
    with pytest.raises(ValueError, match="its name must end in"):
        fangs.convert(tmp_path / "missing.npz", tmp_path / "d.docx")
    with pytest.raises(FileNotFoundError, match=r"missing\.npz"):
        fangs.convert(tmp_path / "missing.npz", tmp_path / "d.csv")
    with pytest.raises(ValueError, match="leave out variable='Z'"):
        fangs.convert([np.eye(2)], tmp_path / "d.csv", variable="Z")


def test_settings_are_checked_before_the_file(tmp_path):
    LABELLED.save(tmp_path / "d.npz")
    with pytest.raises(TypeError, match="burn_in must be a whole number"):
        fangs.read(tmp_path / "d.npz", burn_in=0.5)
    with pytest.raises(ValueError, match="thin = 0"):
        fangs.read(tmp_path / "d.npz", thin=0)
    with pytest.raises(TypeError, match="items is of type str"):
        fangs.read(tmp_path / "d.npz", items="abcde")
    CASES["plain"].save(tmp_path / "p.npz")
    with pytest.raises(ValueError, match="no chains to choose from"):
        fangs.read(tmp_path / "p.npz", chains=[0])


STRANGE = [
    "=1+1",
    "+x",
    "-5",
    "@me",
    "'quoted",
    "'=1",
    "\tx",
    "\ud800",
    "é\n\r",
    " ",
    "",
    "None",
    "nan",
]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_strange_labels_come_back_or_are_refused(suffix, tmp_path):
    labels = STRANGE
    if suffix in (".parquet", ".nc", ".zarr", ".h5"):
        half = fangs.Samples([np.ones((len(labels), 1))], items=labels)
        with pytest.raises(ValueError, match=r"csv and \.json take any label"):
            half.save(tmp_path / f"half{suffix}")
        assert list(tmp_path.iterdir()) == []
        labels = [label for label in labels if label != "\ud800"]
    samples = fangs.Samples([np.ones((len(labels), 1))] * 2, items=labels)
    samples.save(tmp_path / f"d{suffix}")
    assert fangs.read(tmp_path / f"d{suffix}").items == tuple(labels)


def test_no_cell_of_a_csv_file_is_a_formula(tmp_path):
    samples = fangs.Samples([np.ones((3, 1))], items=["=cmd()", "a", "-1"])
    samples.save(tmp_path / "d.csv")
    assert (tmp_path / "d.csv").read_text().splitlines()[1:] == ["1,'=cmd(),1", "1,a,1", "1,'-1,1"]
    fangs.assess([[1], [1], [0]], samples).save(tmp_path / "e.csv")
    assert (tmp_path / "e.csv").read_text() == "item,1\n'=cmd(),1\na,1\n'-1,0\n"
