"""Labels from outside: files give any text back, and none of it acts on a screen or a page."""

from __future__ import annotations

import time

import numpy as np
import pytest

import fangs
from fangs.io import inspect, read_matrix
from support.program import run

LABELS = [
    "<script>alert(1)</script>", "\"quoted\" & 'single'", "\x1b[31mred\x1b[0m", "two\nlines",
    "=1+1",     "\ud800", "@cmd", "-2", "+3", "\tTab", "\rreturn", "'apostrophe", "plain", "", "1",
    "\u202eback",
]  # fmt: skip
CHAINS = ["=a"] * 15 + ["\x1b[1mb\n<i>"] * 15


@pytest.fixture(scope="module")
def samples():
    draws = np.random.default_rng(0).integers(2, size=(30, len(LABELS), 4))
    return fangs.Samples(draws, items=LABELS, chains=CHAINS)


@pytest.fixture(scope="module")
def found(samples):
    return fangs.estimate(samples, seed=1)


def is_quiet(text):
    return all(char.isprintable() for line in text.split("\n") for char in line)


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".tsv", ".json"])
def test_files_give_every_label_back(samples, suffix, tmp_path):
    samples.save(tmp_path / f"d{suffix}")
    again = fangs.read(tmp_path / f"d{suffix}")
    assert again == samples
    assert again.items == tuple(LABELS)
    assert again.chains.tolist() == CHAINS


@pytest.mark.parametrize("suffix", [".parquet", ".nc", ".zarr", ".h5"])
def test_half_characters_are_refused_where_files_have_no_place_for_them(samples, suffix, tmp_path):
    with pytest.raises(ValueError, match=r"\.npz, \.csv and \.json take any label"):
        samples.save(tmp_path / f"d{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".csv", ".json", ".npz"])
def test_an_estimate_gives_every_label_back(found, suffix, tmp_path):
    found.save(tmp_path / f"e{suffix}")
    assert read_matrix(tmp_path / f"e{suffix}").items == tuple(LABELS)


def test_no_cell_of_a_table_is_a_formula(samples, found, tmp_path):
    import csv

    for what in (samples, found):
        what.save(tmp_path / "x.csv")
        with open(tmp_path / "x.csv", newline="", encoding="utf-8", errors="surrogatepass") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_nothing_acts_on_the_terminal(samples, found):
    assert is_quiet(str(found))
    assert "\\x1b[31" in str(found)  # long labels are cut in the middle
    assert is_quiet(str(fangs.compare_chains(samples)))
    assert is_quiet(str(fangs.modes(samples, n_modes=2, seed=1)))
    named = found.named([f"\x1b[1m{k}" for k in range(found.n_features)])
    assert is_quiet(str(fangs.summary(named, samples)))


def test_frames_have_every_label(samples, found):
    assert list(found.to_frame().index) == LABELS
    assert list(fangs.summary(found, samples).items.to_frame().index) == LABELS


def test_a_name_in_a_file_does_not_act_on_the_terminal(tmp_path):
    np.savez(tmp_path / "d.npz", **{"\x1b[2J": np.ones((2, 2, 2)), "b\nb": np.ones((2, 2, 2))})
    assert is_quiet(str(inspect(tmp_path / "d.npz")))
    for command in ("inspect", "estimate"):
        done = run(command, tmp_path / "d.npz")
        assert is_quiet(done.stdout + done.stderr)
        assert "\\x1b[2J" in done.stdout + done.stderr


def test_no_label_is_markup(samples, found, tmp_path):
    found.report(tmp_path / "r.html", samples)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    for text in (page, found._repr_html_()):
        assert "<script>alert" not in text
        assert "<i>" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_a_label_that_comes_twice_is_found_at_once():
    labels = [*map(str, range(200_000)), "199999"]
    began = time.monotonic()
    with pytest.raises(ValueError, match="'199999' more than once"):
        fangs.Samples([np.ones((200_001, 1))], items=labels)
    assert time.monotonic() - began < 10  # comparing all pairs takes minutes


def test_a_chain_without_a_label_is_named():
    with pytest.raises(TypeError, match=r"chains has the label None for draw 0; give text"):
        fangs.Samples([np.ones((2, 1))] * 2, chains=[None, 1])
