"""The page on draws made by others: what is measured, what is kept, and what is shown."""

from types import SimpleNamespace

import numpy as np
import pytest

import fangs
from study import real, real_page, run

MADE = fangs.simulate.posterior_like(8, 3, 30, noise=0.2, births=0.5, seed=4)
SOURCES = {
    "all": real.Source("everything", "draws*.npz", None, "made for a test"),
    "later": real.Source("the rest", "draws*.npz", None, "made for a test", burn_in=10),
}


def shown(docs):
    """The page without its line breaks."""
    return " ".join((docs / "study" / "real.md").read_text("utf-8").split())


@pytest.fixture
def folder(tmp_path):
    fangs.Samples(MADE.draws).save(tmp_path / "draws.1.npz")
    return tmp_path


def r_search(draws, *, a, n_iter):
    """Stands for R: the first draw with an empty column, as R may return it."""
    assert n_iter == 1000
    padded = np.column_stack([draws[0], np.zeros(len(draws[0]), dtype=np.uint8)])
    return SimpleNamespace(matrix=padded, seconds=0.25)


@pytest.fixture
def results(folder):
    return real.measure(
        folder,
        sources=SOURCES,
        n_iter={"all": (1, 10)},
        by_penalty=["later"],
        r_search=r_search,
        r_version="R 0.0",
    )


def test_what_is_kept_is_what_was_measured(results, tmp_path):
    real.save(results, tmp_path / "kept.json")
    assert real.load(tmp_path / "kept.json") == results


def test_the_loss_of_r_is_computed_again(results):
    found = results.sets["all"].r
    assert found.size.expected_loss == fangs.expected_loss(MADE.draws[0], MADE.draws)
    assert found.size.n_features == MADE.draws[0].shape[1]
    assert set(results.sets["later"].r_by_penalty) == set(results.sets["later"].searched.default)


def test_the_page_shows_the_losses(results, tmp_path):
    real_page.write(tmp_path, results, is_fresh=True)
    text = shown(tmp_path)
    best = fangs.alternatives.draws(MADE.draws).expected_loss
    assert f"| everything | {best:.2f} |" in text
    assert f"{results.sets['all'].r.size.expected_loss:.2f} |" in text
    assert "### the rest, by a" in text
    assert "### everything, by a" not in text
    assert "This run had the folder" in text
    assert "nan" not in text
    assert (tmp_path / "images" / "study-real-iterations.png").stat().st_size > 1000


def test_without_the_folder_the_page_has_the_figures_that_were_kept(tmp_path):
    run.write_real(tmp_path, None)
    text = shown(tmp_path)
    kept = real.load()
    assert "This run did not have the folder" in text
    assert kept.about.split(",")[0] in text
    assert set(kept.sets) == set(real.SOURCES)
    # 15.45 is the lowest loss known, and proved to be the global optimum: no later search is lower.
    assert kept.sets["samplesFA"].measured.default.losses == (15.45,) * 5


def test_a_missing_or_doubtful_file_is_named(folder):
    with pytest.raises(ValueError, match=r"0 .*other\.npz"):
        real.read(folder, real.Source("x", "other.npz", None, ""))
    fangs.Samples(MADE.draws).save(folder / "draws.2.npz")
    with pytest.raises(ValueError, match=r"2 .*draws\*\.npz"):
        real.read(folder, SOURCES["all"])
