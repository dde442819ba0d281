"""Bad arguments are refused in any words that name the argument, the value and what helps."""

import numpy as np
import pandas as pd
import pytest

import fangs
from fangs import alternatives, plot
from fangs.simulate import (
    AIBD,
    IBP,
    Gamma,
    case_study,
    linear_gaussian,
    posterior_like,
    sample_posterior,
)
from support.refusals import refuses

DRAWS = fangs.datasets.example()
FOUND = fangs.assess(DRAWS[0], DRAWS)
MODES = fangs.modes(DRAWS.select(range(0, 400, 20)), n_modes=2, seed=1)
CERTIFICATE = fangs.certify(FOUND, DRAWS, method="items")
FEW = DRAWS.select(range(20))
TWO = [np.eye(2), np.ones((2, 1))]
ALIGNED = fangs.align([[1], [1]], TWO)
SAME = [np.eye(3)] * 20
DATA = linear_gaussian(np.eye(15, 3), n_dims=4, sigma_x=0.4, sigma_a=1.0, seed=2).data
LARGE = fangs.Samples([np.ones((1_000_000, 1), dtype=np.uint8)])


def chains(*labels, **options):
    return lambda: fangs.compare_chains(fangs.Samples(SAME, chains=labels or None), **options)


def similar(draws, weights):
    return lambda: fangs.pairwise_similarity(draws, weights_by_feature=weights)


def sampled(**change):
    return lambda: sample_posterior(**{"data": DATA, **change})


def like(**change):
    return lambda: posterior_like(**{"n_items": 2, "n_features": 2, "n_draws": 1, **change})


VALUES = [
    # alternatives
    (("methods", "magic", "draws"), lambda: fangs.compare(TWO, methods=["magic"])),
    (("map",), lambda: fangs.compare(TWO, methods=["draws"])["map"]),
    (("1", "2"), lambda: alternatives.sequential(TWO)),
    (("11",), lambda: alternatives.exhaustive_loss(np.ones((2, 11)), np.ones((2, 11)))),
    (("draw", "3"), lambda: alternatives.exhaustive_loss(np.ones((2, 1)), np.ones((3, 1)))),
    *(
        ((f"{shape[0]}",), lambda shape=shape: alternatives.exhaustive([np.ones(shape)]))
        for shape in [(12, 3), (41, 1), (62, 80), (5000, 3)]
    ),
    (("1,000,000",), lambda: alternatives.pairwise(LARGE)),
    # searches
    (("start", "n_iter", "10"), lambda: fangs.estimate(TWO, start=TWO[0], n_iter=10)),
    (("start", "5", "2"), lambda: fangs.estimate(TWO, start=np.ones((5, 1)))),
    (("start", "2"), lambda: fangs.estimate(TWO, start=2 * TWO[0])),
    # bounds
    (("attach",), lambda: CERTIFICATE.attach(fangs.assess(DRAWS[1], DRAWS))),
    (("other", "fangs.assess"), lambda: fangs.certify(FOUND, FEW, method="items").attach(FOUND)),
    (("method", "all"), lambda: fangs.certify(FOUND, DRAWS, method="all")),
    (("method",), lambda: fangs.lower_bound(DRAWS, method="")),
    (("estimate", "2"), lambda: fangs.certify([[1], [0]], DRAWS)),
    (("max_seconds", "-1"), lambda: fangs.certify(FOUND, DRAWS, max_seconds=-1)),
    # modes
    (("n_modes", "0"), lambda: fangs.modes(TWO, n_modes=0)),
    (("max_modes", "0"), lambda: fangs.modes(TWO, max_modes=0)),
    (("a", "2"), lambda: fangs.modes(TWO, a=2)),
    (("seed", "-1"), lambda: fangs.modes(TWO, seed=-1)),
    (("mode", "2"), lambda: MODES.members(2)),
    (("names", "1"), lambda: MODES.named(["one"])),
    # path
    (("a",), lambda: fangs.sparsity_path(TWO, a=[])),
    (("a", "2.0"), lambda: fangs.sparsity_path(TWO, a=[1.0, 2.0])),
    (("n_features", "-1"), lambda: fangs.choose_a(TWO, n_features=-1)),
    (("fdr", "1.0"), lambda: fangs.choose_a(TWO, fdr=1.0)),
    (("fdr", "-0.1"), lambda: fangs.choose_a(TWO, fdr=-0.1)),
    # pictures
    (("color", "red"), lambda: plot.map(DRAWS, modes=FOUND, color="red")),
    (("chains",), lambda: plot.map(list(FEW), color="chain")),
    (("max_draws", "0"), lambda: plot.map(DRAWS, modes=FOUND, max_draws=0)),
    (("n_landmarks", "2"), lambda: plot.map(DRAWS, modes=FOUND, n_landmarks=2)),
    (("others['truth']", "1"), lambda: plot.map(DRAWS, modes=FOUND, others={"truth": [[1]]})),
    (("400", "20"), lambda: plot.map(FEW, modes=FOUND)),
    (("other", "samples"), lambda: plot.map(fangs.Samples([FEW[0]] * 400), modes=FOUND)),
    *((("shares",), lambda s=s: plot.levels(FOUND, shares=s)) for s in [(), (0,), (0.5, 2)]),
    *((("order",), lambda o=o: plot.item_order([[0], [1]], o)) for o in ["up", [0, 0], [0]]),
    (("n_items", "0"), lambda: plot.mismatches(FOUND, DRAWS, n_items=0)),
    (("labels", "2", "100"), lambda: FOUND.plot(labels=["x", "y"])),
    (("certificates",), lambda: plot.bounds([])),
    (("fangs.estimate(draws)",), lambda: plot.starts(FOUND)),
    # what follows from an estimate
    (("level", "0"), lambda: fangs.credible_ball(FOUND, DRAWS, level=0)),
    (("level", "95"), lambda: fangs.credible_ball(FOUND, DRAWS, level=95)),
    (("level", "nan"), lambda: fangs.credible_ball(FOUND, DRAWS, level=float("nan"))),
    (("level", "95"), lambda: fangs.summary(FOUND, DRAWS, level=95)),
    (("level", str(10**400)), lambda: fangs.summary(FOUND, DRAWS, level=10**400)),
    (("vertical", "rows"), lambda: fangs.credible_ball(FOUND, DRAWS, vertical="rows")),
    (("a", "0"), lambda: fangs.credible_ball(FOUND, DRAWS, a=0)),
    (("a", "2.0"), lambda: fangs.assess(FOUND, DRAWS, a=2.0)),
    (("estimate", "3"), lambda: fangs.credible_ball(np.ones((3, 1)), DRAWS)),
    (("matrix", "3"), lambda: fangs.typicality(np.ones((3, 1)), DRAWS, estimate=FOUND)),
    (("matrix", "3"), lambda: fangs.assess(np.ones((3, 1)), DRAWS)),
    (("share", "0"), lambda: FOUND.at_least(0)),
    (("share", "1.1"), lambda: FOUND.at_least(1.1)),
    (("names", "2", "10"), lambda: fangs.assess(np.ones((100, 10)), DRAWS).named(["a", "b"])),
    (("names", "a"), lambda: fangs.assess(np.ones((100, 2)), DRAWS).named(["a", "a"])),
    (("by", "siez"), lambda: FOUND.ordered("siez")),
    (("by", "3"), lambda: FOUND.ordered(np.ones((3, 1)))),
    (("weights_by_feature",), similar([[[1]]], [[[1, 2]]])),
    (("weights_by_feature", "nan"), similar([[[1]]], [[np.nan]])),
    (("weights_by_feature", "1", "2"), similar(TWO, [[1, 2]])),
    (("1,000,000",), lambda: fangs.pairwise_similarity(LARGE)),
    # chains
    (("chains=labels",), chains()),
    (("one",), chains(*[0] * 20)),
    (("4",), chains(*[0] * 16, *[1] * 4)),
    (("max_rhat", "0.9"), chains(*[0] * 10, *[1] * 10, max_rhat=0.9)),
    # parameters of features
    (("parameters", "1", "2"), lambda: ALIGNED.apply([[1, 2]])),
    (("parameters[1]", "3", "1"), lambda: ALIGNED.apply([[1, 2], [3, 4, 5]])),
    (("parameters[1]", "(1, 2)"), lambda: ALIGNED.apply([[[1], [2]], [[3, 4]]])),
    (("parameters[0]", "()"), lambda: ALIGNED.apply([1, 2])),
    (("(2, 1)", "2"), lambda: ALIGNED.apply(np.zeros((2, 1)))),
    (("(3, 2)", "2"), lambda: ALIGNED.apply(np.zeros((3, 2)))),
    (("np.moveaxis",), lambda: ALIGNED.apply(np.zeros((2, 5, 2)))),
    (("parameters[:, :2]",), lambda: ALIGNED.apply(np.zeros((2, 5, 3)))),
    (("np.moveaxis",), lambda: ALIGNED.apply(np.zeros((2, 1, 2)))),
    # simulation
    (("alpha", "0.0"), lambda: IBP(3).draw(alpha=0.0)),
    (("n_items", "0"), lambda: IBP(0)),
    (("matrix", "2", "3"), lambda: IBP(3).log_pmf([[1], [0]], alpha=1.0)),
    (("0", "1"), lambda: IBP(2).log_pmf([[2], [0]], alpha=1.0)),
    (("similarity",), lambda: AIBD([[1, 2, 3]])),
    (("similarity", "0"), lambda: AIBD([[1, 0], [0, 1]])),
    (("similarity",), lambda: AIBD([[1, 2], [3, 1]])),
    (("order",), lambda: AIBD([[1, 2], [2, 1]], order=[0, 0])),
    (("distances",), lambda: AIBD.from_distances([[0, -1], [-1, 0]], temperature=1)),
    (("temperature", "-1"), lambda: AIBD.from_distances([[0, 1], [1, 0]], temperature=-1)),
    (("temperature",), lambda: AIBD.from_distances([[0, 1e4], [1e4, 0]], temperature=1)),
    (("decay",), lambda: AIBD.from_distances(np.zeros((2, 2)), temperature=1, decay="reciprocal")),
    (("decay", "x"), lambda: AIBD.from_distances([[0, 1], [1, 0]], temperature=1, decay="x")),
    (("name", "dfa"), lambda: case_study("titanic")),
    (("rate", "0.0"), lambda: Gamma(1.0, 0.0)),
    (("data",), sampled(data=[1.0, 2.0])),
    (("data",), sampled(data=[[np.nan]])),
    (("prior", "3", "15"), sampled(prior=IBP(3))),
    (("alpha", "-1.0"), sampled(alpha=-1.0)),
    (("sigma_x", "0.0"), sampled(sigma_x=0.0)),
    (("sigma_x", "sigma_a"), sampled(sigma_x=1e-9, sigma_a=1.0)),
    (("initial", "1", "15"), sampled(initial=[[1, 0]])),
    (("burn_in", "-1"), sampled(burn_in=-1)),
    *(((n, "0"), sampled(**{n: 0})) for n in ("n_draws", "thin", "n_chains", "n_threads")),
    (("noise", "1.5"), like(noise=1.5)),
    (("n_items", "0"), like(n_items=0)),
    *(((n, str(x)), like(**{n: x})) for n, x in [("births", -1.0), ("spread", -0.5)]),
    (("spread", "nan"), like(spread=np.nan)),
    (("truth", "1", "2"), like(truth=[[1], [1]])),
]  # fmt: skip
"""Words, and a call with a value that cannot be."""

TYPES = [
    (("methods['mine']", "list"), lambda: fangs.compare(TWO, methods={"mine": lambda s, a: [[1]]})),
    (("n_modes", "2.0"), lambda: fangs.modes(TWO, n_modes=2.0)),
    (("progress",), lambda: fangs.modes(TWO, progress=3)),
    (("mode", "a"), lambda: MODES.summary("a")),
    (("n_features", "fdr"), lambda: fangs.choose_a(TWO)),
    (("n_features", "fdr"), lambda: fangs.choose_a(TWO, n_features=3, fdr=0.05)),
    (("fdr", "x"), lambda: fangs.choose_a(TWO, fdr="x")),
    (("level", "95%"), lambda: fangs.credible_ball(FOUND, DRAWS, level="95%")),
    (("share", "x"), lambda: FOUND.at_least("x")),
    (("names", "str"), lambda: FOUND.named("abcd")),
    (("names", "dict"), lambda: FOUND.named({"a": 1})),
    (("parameters", "int"), lambda: ALIGNED.apply(7)),
    (("pandas",), lambda: ALIGNED.apply(pd.DataFrame([[1.0]]))),
    (("feature_dim",), lambda: ALIGNED.apply([[1, 2], [3]], feature_dim="k")),
    (("ax", "Figure"), lambda: FOUND.plot(ax=plot.levels(FOUND).figure)),
    (("figsize", "ax"), lambda: FOUND.plot(figsize=(4, 3), ax=plot.levels(FOUND))),
    (("fangs.Estimate", "fangs.estimate"), lambda: plot.allocation(DRAWS)),
    (("fangs.Estimate", "fangs.estimate"), lambda: plot.levels(DRAWS)),
    (("fangs.Estimate", "fangs.estimate"), lambda: plot.starts(DRAWS)),
    (("Modes", "fangs.modes"), lambda: plot.modes(FOUND)),
    (("SparsityPath", "fangs.sparsity_path"), lambda: plot.path(DRAWS)),
    (("ChainComparison", "fangs.compare_chains"), lambda: plot.chains(DRAWS)),
    (("Certificate", "fangs.certify"), lambda: plot.bounds(FOUND)),
    (("Stability", "fangs.stability"), lambda: plot.stability(FOUND)),
    (("fangs.plot.comparison(estimate, draws[0])",), lambda: plot.comparison(FOUND, DRAWS)),
    (("prior", "IBP"), sampled(prior="ibp")),
    (("alpha",), sampled(alpha="1")),
    (("n_draws", "1.5"), sampled(n_draws=1.5)),
    (("data",), sampled(data=[["a"]])),
]
"""Words, and a call with something of the wrong type."""


@pytest.mark.parametrize(("words", "call"), VALUES)
def test_a_value_is_refused_by_name(words, call):
    with refuses(*words, error=(ValueError, LookupError)):
        call()


@pytest.mark.parametrize(("words", "call"), TYPES)
def test_a_type_is_refused_by_name(words, call):
    with refuses(*words, error=TypeError):
        call()
