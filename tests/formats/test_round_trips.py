"""Every file that fangs writes gives back what was written: draws, positions and labels."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import fangs
from conformance.contents import CONTENTS, LABELS
from fangs.formats import read_matrix, registry
from support.refusals import refuses

SUFFIXES = [".npz", ".csv", ".tsv.gz", ".parquet", ".feather", ".json", ".nc", ".zarr", ".h5"]


def ragged(n_items, widths):
    rng = np.random.default_rng(0)
    return [rng.integers(2, size=(n_items, k), dtype=np.uint8) for k in widths]


STRANGE = ["<script>alert(1)</script>", "\"quoted\" & 'single'", "\x1b[31mred\x1b[0m", "two\nlines",
           "=1+1", "+x", "-5", "@me", "'quoted", "'=1", "\tx", "\rreturn", "é\n\r", " ", "", "b,b",
           "None", "nan", "NA", "NULL", "1", "\u202eback"]  # fmt: skip
CASES = {
    "strange labels": fangs.Samples(
        ragged(len(STRANGE), [2, 3]), items=STRANGE, chains=["=a", "\x1b[1mb\n<i>"]
    ),
    "uneven chains": fangs.Samples(ragged(4, [2, 0, 3, 1, 2]), chains=[0, 0, 1, 1, 1]),
    "chains in turns": fangs.Samples(ragged(4, [2, 2, 3, 1]), chains=[0, 1, 0, 1]),
    "first draw without features": fangs.Samples([np.zeros((3, 0)), np.ones((3, 2))]),
    "no features at all": fangs.Samples([np.zeros((3, 0))] * 2, items=["abc", "d", "NA"]),
    "empty columns": fangs.Samples([[[0, 1, 0, 1], [0, 0, 0, 1]], [[0, 0, 1], [0, 0, 0]]]),
    "one item": fangs.Samples([[[1]], [[0]], [[1, 1]]]),
    "other positions as labels": fangs.Samples(ragged(3, [2, 1]), items=[2, 1, 3]),
    "numbers as labels": fangs.Samples(ragged(3, [2, 1]), items=[30, -4, 1.5]),
    "weights": fangs.Samples(ragged(4, [2, 3, 1]), weights=[3, 0, 2**40], chains=[5, 5, 9]),
    "irrational weights": fangs.Samples(ragged(4, [2, 3, 1]), weights=[0.5, 2**0.5, 0.1]),
    **{about: content.samples(LABELS) for about, content in CONTENTS.items()},
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("case", CASES)
def test_a_file_gives_back_what_was_written(suffix, case, tmp_path):
    path = tmp_path / f"draws{suffix}"
    for _ in range(2):  # the second time over the old file
        CASES[case].save(path)
        assert fangs.read(path) == CASES[case]
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_gives_back_the_positions_of_columns(suffix, tmp_path):
    CASES["empty columns"].save(tmp_path / f"draws{suffix}")
    found = fangs.read(tmp_path / f"draws{suffix}")
    positions = [found.columns(b).tolist() for b in range(2)]
    assert positions == ([[0, 1], [0]] if suffix == ".json" else [[1, 3], [2]])  # sets have none


def test_every_suffix_that_is_written_is_tried():
    formats = {registry.format_of(Path(f"x{suffix}")) for suffix in SUFFIXES}
    every = {registry.format_of(Path(f"x{suffixes[0]}")) for suffixes in registry.FORMATS}
    assert formats == {each for each in every if each.write_samples is not None}


def test_archives_keep_what_weights_have_lost(tmp_path):
    samples = CASES["irrational weights"]
    samples.save(tmp_path / "d.npz")
    assert fangs.read(tmp_path / "d.npz").weights_error == samples.weights_error > 0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_items_label_a_file_without_labels(suffix, tmp_path):
    path, draws = tmp_path / f"draws{suffix}", ragged(3, [2, 1])
    fangs.Samples(draws).save(path)
    assert fangs.read(path, items=list("abc")) == fangs.Samples(draws, items=list("abc"))
    fangs.Samples(draws, items=list("xyz")).save(path)
    with refuses("items", "'x'", error=ValueError):
        fangs.read(path, items=list("abc"))


@pytest.mark.parametrize("suffix", [".csv", ".json", ".npz"])
def test_an_estimate_gives_every_label_back(suffix, tmp_path):
    samples = CASES["strange labels"]
    fangs.assess(samples[0], samples).save(tmp_path / f"e{suffix}")
    assert read_matrix(tmp_path / f"e{suffix}").items == tuple(STRANGE)


def test_an_estimate_keeps_its_weights(tmp_path):
    found = fangs.estimate(fangs.Samples(ragged(5, [3] * 4), weights=[3, 0, 1, 2]), seed=1)
    found.save(tmp_path / "estimate.npz")
    again = fangs.load(tmp_path / "estimate.npz")
    assert again.weights.tolist() == found.weights.tolist() == [3, 0, 1, 2]
    assert again.effective_draws == found.effective_draws == pytest.approx(36 / 14)
    assert np.average(again.losses, weights=again.weights) == pytest.approx(found.expected_loss)


def test_no_cell_of_a_csv_file_is_a_formula(tmp_path):
    samples = CASES["strange labels"]
    for what in (samples, fangs.assess(samples[0], samples)):
        what.save(tmp_path / "x.csv")
        with open(tmp_path / "x.csv", newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row if cell != "-5"]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    samples = fangs.Samples([np.ones((3, 1))], items=["=cmd()", "a", "-1"])
    samples.save(tmp_path / "x.csv")
    rows = (tmp_path / "x.csv").read_text().splitlines()
    assert rows == ["draw,item,feature", "1,'=cmd(),1", "1,a,1", "1,-1,1"]  # numbers as they are


def test_convert_takes_draws_and_checks_the_target_first(tmp_path):
    fangs.convert([np.eye(2)], tmp_path / "d.json", items=["a", "b"])
    assert fangs.read(tmp_path / "d.json").items == ("a", "b")
    with refuses("d.docx", ".npz", error=ValueError):
        fangs.convert(tmp_path / "missing.npz", tmp_path / "d.docx")
    with pytest.raises(FileNotFoundError, match=r"missing\.npz"):
        fangs.convert(tmp_path / "missing.npz", tmp_path / "d.csv")
    with refuses("variable='Z'"):
        fangs.convert([np.eye(2)], tmp_path / "d.csv", variable="Z")
