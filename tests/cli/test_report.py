"""The fangs report command: the page of the library, and bad options in one line."""

import pytest

import fangs
from support.program import run


def test_the_command_writes_the_page_of_the_library(estimate, draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    estimate.save(tmp_path / "estimate.npz")
    options = ["--estimate", "estimate.npz", "--title", "Bars & more", "--out", "r.html"]
    result = run("report", "draws.npz", *options, cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "Wrote r.html\n")
    estimate.report(tmp_path / "library.html", draws, title="Bars & more")
    assert (tmp_path / "r.html").read_bytes() == (tmp_path / "library.html").read_bytes()


def test_the_command_estimates_where_it_is_given_no_estimate(draws, tmp_path):
    draws.save(tmp_path / "draws.npz")
    options = ["-a", 1.9, "--seed", 3, "--effort", "quick", "--quiet", "--level", 0.5]
    result = run("report", "draws.npz", *options, cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    found = fangs.estimate(draws, a=1.9, seed=3)
    assert f"{found.expected_loss:.6g} at a = 1.9" in page
    assert "50 % credible ball" in page


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--out", "r.pdf"], [".html", "r.pdf"]),
        (["--out", "no/r.html"], ["no directory"]),
        (["--estimate", "e.npz", "-a", "1"], ["--estimate", "-a"]),
        (["--estimate", "missing.npz"], ["missing.npz"]),
        (["--effort", "some"], ["some"]),
        (["--level", "2", "--quiet"], ["level", "2"]),
    ],
)
def test_bad_options_are_one_line(draws, tmp_path, options, said):
    draws.save(tmp_path / "draws.npz")
    result = run("report", "draws.npz", *options, cwd=tmp_path)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1, result.stderr
    for word in said:
        assert word in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["draws.npz"]
