"""People read items and features from 1, and items from 0 only where their source counts so."""

import re

import numpy as np
import pytest
import xarray as xr

import fangs

STACK = np.array([[[1, 0], [1, 1], [0, 1]]] * 3 + [[[1, 0], [1, 0], [0, 0]]])
INDEX = xr.DataArray(STACK, dims=("draw", "item", "feature"), coords={"item": [0, 1, 2]})


@pytest.fixture(
    params=[(STACK, ["1", "2", "3"]), (INDEX, ["0", "1", "2"])], ids=["from 1", "from 0"]
)
def counted(request):
    """An estimate of draws without names, its draws, and what people call the items."""
    samples, names = fangs.Samples(request.param[0]), request.param[1]
    assert samples.items is None
    return fangs.estimate(samples, seed=1), samples, names


def test_a_screen_counts_items(counted):
    estimate, samples, names = counted
    shown = re.findall(r"^  (\d)  .*[■·]", str(estimate), re.MULTILINE)
    assert shown == list(samples.item_names) == names
    worst = str(fangs.summary(estimate, samples)).splitlines()[-1]
    assert re.findall(r"(\d) \d\.\d\d", worst) == [names[1], names[2], names[0]]


def test_tables_and_files_count_items(counted, tmp_path):
    estimate, samples, names = counted
    assert [str(label) for label in estimate.to_frame().index] == names
    estimate.save(tmp_path / "e.csv")
    samples.save(tmp_path / "d.csv")
    for name in ("e.csv", "d.csv"):
        rows = (tmp_path / name).read_text().splitlines()[1:]
        assert {row.split(",")[name == "d.csv"] for row in rows} == set(names)
    assert fangs.read(tmp_path / "d.csv").item_names == tuple(names)


def test_pages_and_pictures_count_items(counted, tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    estimate, samples, names = counted
    axes = fangs.plot.allocation(estimate)
    assert sorted(label.get_text() for label in axes.get_yticklabels()) == names
    plt.close("all")
    estimate.report(tmp_path / "r.html", samples, effort="quick")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert sorted(set(re.findall(r'<th scope="row">(\d)</th>', page))) == names


def test_positions_in_python_stay_positions(counted):
    estimate, samples, _ = counted
    assert estimate.features == ((0, 1), (1, 2))
    assert "draws are counted from 0" in str(fangs.credible_ball(estimate, samples))


def test_charts_of_features_have_no_half_features():
    draws = [[[1], [1]], [[1], [0]]]
    shown = fangs.sparsity_path(draws, a=[0.5, 1], seed=1)
    from fangs.report.charts import path_chart

    heights = re.findall(r'text-anchor="end">([^<]+)<', path_chart(shown))
    assert heights == ["0", "1"]
    several = fangs.sparsity_path(fangs.datasets.example(), a=[0.5, 1], seed=1)
    heights = re.findall(r'text-anchor="end">([^<]+)<', path_chart(several))
    assert heights == ["0", "1", "2", "3", "4", "5"]
