"""Sharded draws give the same bits as draws in one process: streamed, and on a real cluster."""

import numpy as np
import pytest

import fangs
from fangs.distributed import shard
from fangs.engine import as_engine
from support.checks import same


def make(n_draws=120, seed=3):
    rng = np.random.default_rng(seed)
    made = fangs.simulate.posterior_like(
        14, 4, n_draws, noise=0.2, births=0.5, deaths=0.1, seed=seed
    )
    items = [f"item {i}" for i in range(14)]
    return fangs.Samples(made.draws, items=items, chains=np.repeat(["x", "y"], n_draws // 2)), rng


SAMPLES, _ = make()


@pytest.fixture(scope="module", params=["streamed", "one at a time", "cluster"])
def sharded(request):
    if request.param == "cluster":
        with shard(SAMPLES, n_shards=5, client=request.getfixturevalue("client")) as found:
            yield found
    else:
        limit = 1 if request.param == "one at a time" else 1 << 30
        with shard(SAMPLES, n_shards=7, memory_limit=limit) as found:
            yield found


@pytest.mark.parametrize("options", [{}, {"a": 0.4}, {"a": 1.7}, {"n_iter": 40}])
def test_estimate(sharded, options):
    same(fangs.estimate(sharded, seed=2, **options), fangs.estimate(SAMPLES, seed=2, **options))


def test_a_subsample_is_brought_here(client):
    samples, _ = make(1200, seed=5)
    with shard(samples, n_shards=3, client=client) as sharded:
        same(fangs.estimate(sharded, seed=1), fangs.estimate(samples, seed=1))


def test_a_neighbourhood_follows_flips(sharded):
    matrix = np.pad(SAMPLES[0], ((0, 0), (0, 1)))
    here, there = as_engine(SAMPLES).neighbourhood(matrix), sharded.neighbourhood(matrix)
    rng = np.random.default_rng(2)
    for with_support in (True, False, True, True):
        flips = rng.choice(matrix.size, size=3, replace=False)
        items, features = np.divmod(flips, matrix.shape[1])
        for nearby in (here, there):
            nearby.flip(items, features, with_support=with_support)
        assert there.total_overlap == here.total_overlap
        assert there.flip_support().tolist() == here.flip_support().tolist()
        assert there.matrix.tolist() == here.matrix.tolist()


def test_losses_and_assessment(sharded):
    matrix = SAMPLES[0]
    assert fangs.expected_loss(matrix, sharded) == fangs.expected_loss(matrix, SAMPLES)
    same(fangs.assess(matrix, sharded, a=0.7), fangs.assess(matrix, SAMPLES, a=0.7))


def test_alignment(sharded):
    here, there = fangs.align(SAMPLES[3], SAMPLES), fangs.align(SAMPLES[3], sharded)
    for name in ("permutations", "counts", "overlaps", "feature_overlaps", "feature_sizes"):
        assert getattr(there, name).tolist() == getattr(here, name).tolist()
    assert there.draws().tolist() == here.draws().tolist()
    assert [draw.tolist() for draw in there.iter_draws()] == here.draws().tolist()


def test_uncertainty(sharded):
    found = fangs.estimate(SAMPLES, seed=1)
    here, there = fangs.credible_ball(found, SAMPLES), fangs.credible_ball(found, sharded)
    assert (there.radius, there.coverage, str(there)) == (here.radius, here.coverage, str(here))
    assert str(fangs.summary(found, sharded)) == str(fangs.summary(found, SAMPLES))
    assert (
        fangs.pairwise_similarity(sharded).tolist() == fangs.pairwise_similarity(SAMPLES).tolist()
    )


@pytest.mark.parametrize("method", ["items", "pairs", "dual"])
def test_lower_bound(sharded, method):
    here = fangs.lower_bound(SAMPLES, method=method)
    assert fangs.lower_bound(sharded, method=method) == here


def test_certificates():
    some = SAMPLES[:12]
    found = fangs.estimate(some, seed=1)
    with shard(some, n_shards=3) as sharded:
        here, there = fangs.certify(found, some), fangs.certify(found, sharded)
    assert (there.lower_bound, there.method) == (here.lower_bound, here.method)


def test_path_and_chains(sharded):
    grid = [0.4, 1.6]
    here = fangs.sparsity_path(SAMPLES, a=grid, seed=1)
    for one, other in zip(
        fangs.sparsity_path(sharded, a=grid, seed=1).estimates, here.estimates, strict=True
    ):
        same(one, other)
    assert str(fangs.compare_chains(sharded, seed=1)) == str(fangs.compare_chains(SAMPLES, seed=1))


def test_comparison(sharded):
    names = ["estimate", "fangs"]
    here = fangs.compare(SAMPLES, methods=names, seed=1)
    there = fangs.compare(sharded, methods=names, seed=1)
    for name in names:
        same(there[name].estimate, here[name].estimate)
        assert there[name].note == ""


def test_an_interrupted_comparison_keeps_what_has_ended(sharded):
    def stopped(samples, *, a):
        raise KeyboardInterrupt

    methods = {"first": lambda samples, a: fangs.assess(SAMPLES[0], samples, a=a), "last": stopped}
    with pytest.raises(fangs.results.Interrupted) as caught:
        fangs.compare(sharded, methods=methods)
    assert [row.method for row in caught.value.partial] == ["first"]
    same(caught.value.estimate, fangs.assess(SAMPLES[0], SAMPLES))


@pytest.mark.parametrize("brought", [-1, 300, 1 << 20], ids=["there", "small modes", "here"])
def test_modes(sharded, monkeypatch, brought):
    monkeypatch.setattr("fangs.distributed.sharded_engine.BROUGHT_BYTES", brought)
    here, there = fangs.modes(SAMPLES, n_modes=2, seed=1), fangs.modes(sharded, n_modes=2, seed=1)
    assert there.labels.tolist() == here.labels.tolist()
    assert there.expected_loss == here.expected_loss
    for one, other in zip(there.estimates, here.estimates, strict=True):
        same(one, other)


@pytest.mark.parametrize("n_shards", [1, 2, 13, 120, 500])
def test_any_number_of_shards(n_shards):
    with shard(SAMPLES, n_shards=n_shards) as sharded:
        assert sharded.n_shards == min(n_shards, 120)
        same(fangs.estimate(sharded, seed=4), fangs.estimate(SAMPLES, seed=4))


def test_files_are_shards(client, tmp_path):
    paths = []
    for chain, name in enumerate("xy"):
        paths.append(tmp_path / f"{name}.npz")
        SAMPLES[60 * chain : 60 * (chain + 1)].save(paths[-1])
    with shard(paths, client=client) as sharded:
        same(fangs.estimate(sharded, seed=2), fangs.estimate(SAMPLES, seed=2))
    assert list(tmp_path.iterdir()) == paths


@pytest.mark.parametrize("memory_limit", [1, 1 << 30])
def test_shards_may_hold_draws_of_weight_0_only(tmp_path, memory_limit):
    weights = np.arange(120) % 3
    weights[30:70] = 0
    weighted = fangs.Samples(SAMPLES, weights=weights)
    weighted.save(tmp_path / "draws.npz")
    here = fangs.estimate(weighted, seed=1)
    modes = fangs.modes(weighted, n_modes=2, seed=1).estimates
    for source in (weighted, tmp_path / "draws.npz"):
        with shard(source, n_shards=6, memory_limit=memory_limit) as sharded:
            same(fangs.estimate(sharded, seed=1), here)
            for one, other in zip(
                fangs.modes(sharded, n_modes=2, seed=1).estimates, modes, strict=True
            ):
                same(one, other)
            assert sharded[40].tolist() == SAMPLES[40].tolist()
            assert sharded.fetch(np.array([40])).weights.tolist() == [0]
            with pytest.raises(ValueError, match="weight 0"):
                sharded.select(np.arange(30, 70))


def test_workers_take_draws_of_weight_0_only_and_closed_draws_say_so(client):
    weights = np.repeat([2, 0, 1], 40)
    weighted = fangs.Samples(SAMPLES, weights=weights)
    with shard(weighted, n_shards=6, client=client) as sharded:
        same(fangs.estimate(sharded, seed=1), fangs.estimate(weighted, seed=1))
    for question in (fangs.estimate, fangs.lower_bound):
        with pytest.raises(ValueError, match="closed"):
            question(sharded)
