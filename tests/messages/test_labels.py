"""Labels from outside may be any text, and none of it acts on a screen or a page."""

import numpy as np
import pytest

import fangs
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


def test_nothing_acts_on_the_terminal_and_frames_have_every_label(samples, found):
    assert is_quiet(str(found))
    assert "\\x1b[31" in str(found)  # long labels are cut in the middle
    assert is_quiet(str(fangs.compare_chains(samples)))
    assert is_quiet(str(fangs.modes(samples, n_modes=2, seed=1)))
    assert list(fangs.summary(found, samples).items.to_frame().index) == LABELS
    named = found.named([f"\x1b[1m{k}" for k in range(found.n_features)])
    assert is_quiet(str(fangs.summary(named, samples)))


def test_a_name_in_a_file_does_not_act_on_the_terminal(tmp_path):
    np.savez(tmp_path / "d.npz", **{"\x1b[2J": np.ones((2, 2, 2)), "Z": np.ones((2, 2, 2))})
    assert is_quiet(str(fangs.inspect(tmp_path / "d.npz")))
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
