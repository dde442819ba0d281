"""Names and order of features: a view of the same estimate that is kept everywhere."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

import fangs
from fangs.allocation import left_ordered, without_empty
from fangs.posterior.feature_order import feature_order
from oracles import reference as ref
from support.program import run
from support.strategies import several_allocations

NAMES = ("box", "step", "cross", "corner")
DRAWS = fangs.datasets.example()
ESTIMATE = fangs.estimate(DRAWS, seed=1)
NAMED = ESTIMATE.named(NAMES).ordered("size")
ORDER = sorted(range(4), key=lambda j: -int(ESTIMATE.matrix[:, j].sum()))
ORDERED_NAMES = tuple(NAMES[j] for j in ORDER)


def digits(column):
    return tuple(int(entry) for entry in column)


@given(several_allocations(1, max_features=6))
def test_size_puts_the_largest_first_and_left_order_decides_ties(found):
    matrix = without_empty(found[0])
    columns = [digits(column) for column in matrix.T]
    by_size = [columns[j] for j in feature_order(matrix, "size")]
    assert by_size == sorted(sorted(columns, reverse=True), key=sum, reverse=True)
    assert [columns[j] for j in feature_order(matrix)] == sorted(columns, reverse=True)


@given(several_allocations(2))
def test_features_follow_those_they_match_and_the_others_come_last(found):
    """Some first features, paired with features of the other in its order, are a best matching."""
    matrix, other = without_empty(found[0]), found[1]
    order = feature_order(matrix, other)
    assert sorted(order.tolist()) == list(range(matrix.shape[1]))
    ordered = matrix[:, order]
    shared = other.astype(int).T @ ordered.astype(int)
    best = ref.max_overlap(other, matrix)
    columns = [digits(column) for column in ordered.T]
    assert any(
        pairs.sum() == best and (pairs > 0).all() and columns[k:] == sorted(columns[k:])[::-1]
        for k in range(min(shared.shape) + 1)
        for rows in combinations(range(len(shared)), k)
        for pairs in [shared[list(rows), range(k)]]
    )


def test_an_estimate_takes_the_order_of_another():
    shuffled = ESTIMATE.matrix[:, [2, 0]]
    found = ESTIMATE.ordered(shuffled)
    assert np.array_equal(found.matrix, ESTIMATE.matrix[:, [2, 0, 1, 3]])
    assert np.array_equal(NAMED.ordered(ESTIMATE).matrix, ESTIMATE.matrix)
    assert NAMED.ordered(ESTIMATE).feature_names == NAMES
    by_name = ESTIMATE.to_frame()[[3, 1]].iloc[::-1]  # rows the other way round
    assert np.array_equal(ESTIMATE.ordered(by_name).matrix, found.matrix)


def test_another_order_is_the_same_estimate():
    assert np.array_equal(NAMED.matrix, ESTIMATE.matrix[:, ORDER])
    assert np.array_equal(NAMED.proportions, ESTIMATE.proportions[:, ORDER])
    assert np.array_equal(left_ordered(NAMED), ESTIMATE.matrix)
    for name in ("expected_loss", "a", "fingerprint", "is_flip_optimal", "n_ties", "search"):
        assert getattr(NAMED, name) == getattr(ESTIMATE, name)
    assert np.array_equal(NAMED.losses, ESTIMATE.losses)
    assert NAMED.features == tuple(ESTIMATE.features[j] for j in ORDER)


def test_names_follow_their_features_and_numbers_do_not():
    assert NAMED.feature_names == ORDERED_NAMES
    assert ESTIMATE.ordered("size").feature_names == ("1", "2", "3", "4")
    assert NAMED.ordered().feature_names == NAMES


def test_an_estimate_without_features_has_no_names():
    empty = fangs.assess(np.zeros((100, 0)), DRAWS)
    assert empty.feature_names == empty.ordered("size").feature_names == ()
    assert empty.ordered(ESTIMATE).n_features == 0


def test_parquet_refuses_a_feature_called_item(tmp_path):
    with pytest.raises(ValueError, match="item"):
        ESTIMATE.named(["item", "b", "c", "d"]).save(tmp_path / "x.parquet")


def test_a_name_that_a_spreadsheet_would_run_is_guarded(tmp_path):
    ESTIMATE.named(["=1+1", "b", "c", "d"]).save(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text().startswith("item,'=1+1,b,c,d\n")


def test_tables_and_arrays_have_the_names():
    assert tuple(NAMED.to_frame().columns) == ORDERED_NAMES
    assert list(ESTIMATE.to_frame().columns) == [1, 2, 3, 4]
    assert tuple(NAMED.to_xarray()["feature"].values) == ORDERED_NAMES
    assert np.array_equal(NAMED.to_xarray()["Z_hat"].sel(feature="box"), ESTIMATE.matrix[:, 0])


def test_alignments_have_order_and_names():
    plain, aligned = fangs.align(ESTIMATE, DRAWS), fangs.align(NAMED, DRAWS)
    assert aligned.feature_names == ORDERED_NAMES
    assert np.array_equal(aligned.proportions, NAMED.proportions)
    reused = fangs.align(NAMED, plain)
    assert reused.feature_names == ORDERED_NAMES
    assert np.array_equal(reused.permutations, aligned.permutations)
    assert fangs.align(ESTIMATE.named(NAMES), plain).feature_names == NAMES
    assert fangs.align(ESTIMATE, plain) is plain


def test_parameters_have_order_and_names():
    sizes = [draw.sum(axis=0).astype(float) for draw in DRAWS]
    plain, aligned = fangs.align(ESTIMATE, DRAWS), fangs.align(NAMED, DRAWS)
    assert np.array_equal(aligned.apply(sizes), plain.apply(sizes)[:, ORDER], equal_nan=True)
    table = aligned.table(sizes)
    assert [row["feature"] for row in table.rows()] == list(ORDERED_NAMES)
    assert np.array_equal(table.mean, plain.table(sizes).mean[ORDER])
    assert [row["feature"] for row in plain.table(sizes).rows()] == [1, 2, 3, 4]
    assert tuple(table.to_frame().index) == ORDERED_NAMES
    assert tuple(aligned.to_xarray({"size": sizes})["feature"].values) == ORDERED_NAMES


def test_summaries_have_order_and_names():
    plain, found = fangs.summary(ESTIMATE, DRAWS), fangs.summary(NAMED, DRAWS)
    assert found.feature_names == ORDERED_NAMES
    assert np.array_equal(found.features.jaccard, plain.features.jaccard[ORDER])
    lines = str(found).splitlines()
    at = next(i for i, line in enumerate(lines) if "Jaccard" in line)
    assert [line.split()[0] for line in lines[at + 1 : at + 5]] == list(ORDERED_NAMES)


def test_assessing_keeps_order_and_names():
    other = fangs.assess(NAMED, DRAWS.select(range(100)))
    assert other.feature_names == ORDERED_NAMES
    assert np.array_equal(other.matrix, NAMED.matrix)
    assert np.array_equal(fangs.assess(NAMED, DRAWS).proportions, NAMED.proportions)
    assert fangs.certify(NAMED, DRAWS, method="pairs").attach(NAMED).feature_names == ORDERED_NAMES


def test_plots_show_the_names():
    plots = [
        fangs.plot.allocation(NAMED),
        fangs.plot.levels(NAMED),
        fangs.plot.feature_sizes(NAMED, DRAWS),
    ]
    for ax in plots:
        assert tuple(tick.get_text() for tick in ax.get_xticklabels()) == ORDERED_NAMES
    shown = fangs.plot.feature_sizes(NAMED, DRAWS).lines[-1].get_ydata()
    assert list(shown) == NAMED.matrix.sum(axis=0).tolist()
    ax = fangs.plot.comparison(ESTIMATE.named("dcba"[i] for i in range(4)), ESTIMATE)
    assert "".join(tick.get_text() for tick in ax.get_xticklabels()) == "dcbadcba"


def test_reports_show_order_and_names(tmp_path):
    NAMED.report(tmp_path / "page.html", DRAWS, effort="quick")
    page = (tmp_path / "page.html").read_text()
    heads = [page.index(f'data-j="{j}">{name}<') for j, name in enumerate(ORDERED_NAMES)]
    assert heads == sorted(heads)
    data = json.loads(page.partition('id="data"')[2].partition(">")[2].partition("</script")[0])
    assert tuple(data["names"]) == ORDERED_NAMES


def test_the_command_line_orders_and_names(tmp_path):
    DRAWS.save(tmp_path / "draws.npz")
    (tmp_path / "names.txt").write_text("\n".join(ORDERED_NAMES) + "\n")
    search = ["estimate", tmp_path / "draws.npz", "--seed", 1, "--json"]
    done = run(*search, "--order", "size", "--feature-names", tmp_path / "names.txt")
    document = json.loads(done.stdout)
    assert document["feature_names"] == list(ORDERED_NAMES)
    assert document["matrix"] == NAMED.matrix.tolist()
    NAMED.save(tmp_path / "named.csv")
    done = run(*search, "--order", tmp_path / "named.csv")
    assert json.loads(done.stdout)["matrix"] == NAMED.matrix.tolist()
    done = run(*search, "--order", "siez")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no file 'siez'; --order takes left, size or a file" in done.stderr
    done = run(*search, "--feature-names", tmp_path / "absent.txt")
    assert done.returncode == 2
    assert "there is no file" in done.stderr
