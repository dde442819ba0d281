"""Results stay what was computed: no array can be written to, also in copies and from pickles."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import fangs

ESTIMATE_AND_DRAWS = {
    fangs.Samples: lambda e, d: fangs.Samples(list(d), chains=d.chains, weights=range(len(d))),
    fangs.Estimate: lambda e, d: e,
    fangs.Search: lambda e, d: e.search,
    fangs.Start: lambda e, d: e.search.starts[0],
    fangs.Alignment: lambda e, d: fangs.align(e, d),
    fangs.Unmatched: lambda e, d: fangs.align(e, d).unmatched,
    fangs.ParameterTable: lambda e, d: fangs.align(e, d).table([np.ones(k) for k in d.n_features]),
    fangs.Summary: lambda e, d: fangs.summary(e, d),
    fangs.FeatureSummary: lambda e, d: fangs.summary(e, d).features,
    fangs.ItemSummary: lambda e, d: fangs.summary(e, d).items,
    fangs.Distribution: lambda e, d: fangs.summary(e, d).n_features,
    fangs.ErrorRates: lambda e, d: fangs.summary(e, d).error_rates,
    fangs.CredibleBall: lambda e, d: fangs.credible_ball(e, d),
    fangs.ChainComparison: lambda e, d: fangs.compare_chains(d, estimate=e, seed=1),
    fangs.Certificate: lambda e, d: fangs.certify(e, d, method="items"),
    fangs.SparsityPath: lambda e, d: fangs.sparsity_path(d, a=[1.0, 1.5], seed=1),
    fangs.Segment: lambda e, d: fangs.sparsity_path(d, a=[1.0], seed=1).segments[0],
    fangs.Choice: lambda e, d: fangs.choose_a(d, n_features=4, seed=1),
    fangs.Interval: lambda e, d: fangs.flip_optimal_interval(e, d),
    fangs.Modes: lambda e, d: fangs.modes(d, max_modes=2, seed=1),
    fangs.ModesStep: lambda e, d: fangs.modes(d, n_modes=1, seed=1).steps[0],
    fangs.Comparison: lambda e, d: fangs.compare(d, methods=["map"]),
    fangs.Compared: lambda e, d: fangs.compare(d, methods=["map"]).rows[0],
    fangs.Interrupted: lambda e, d: fangs.Interrupted(e, fangs.summary(e, d)),
    fangs.Progress: lambda e, d: fangs.Progress("start", 1, 2, 3.0),
    fangs.Inspection: lambda e, d: None,  # of a file; made below
}
"""How to make one of each public class."""


def arrays(value, seen):
    """Every array in a result, however deep, with the way to it."""
    if id(value) in seen:
        return
    seen[id(value)] = value  # kept alive, so that no other object gets its id
    if isinstance(value, np.ndarray):
        yield "", value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from arrays(each, seen)
    elif type(value).__module__.startswith("fangs"):
        for name, part in getattr(value, "__dict__", {}).items():
            yield from ((f".{name}{way}", found) for way, found in arrays(part, seen))


@pytest.fixture(params=ESTIMATE_AND_DRAWS, ids=lambda kind: kind.__name__)
def result(request, estimate, draws, tmp_path):
    if request.param is fangs.Inspection:
        draws.save(tmp_path / "draws.npz")
        return fangs.inspect(tmp_path / "draws.npz")
    made = ESTIMATE_AND_DRAWS[request.param](estimate, draws)
    assert type(made) is request.param
    return made


def test_every_public_class_is_here():
    public = {getattr(fangs, name) for name in fangs.__all__}
    assert {kind for kind in public if inspect.isclass(kind)} == set(ESTIMATE_AND_DRAWS)


def test_no_array_of_a_result_can_be_changed(result):
    repr(result)  # fills caches
    assert [way for way, array in arrays(result, {}) if array.flags.writeable] == []


@pytest.mark.parametrize(
    "copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy],
    ids=["pickle", "deepcopy", "copy"],
)  # fmt: skip
def test_copies_are_the_same_and_as_read_only(result, copied):
    other = copied(result)
    assert type(other) is type(result)
    assert str(other) == str(result)
    ours, theirs = dict(arrays(result, {})), dict(arrays(other, {}))
    assert [way for way, array in theirs.items() if array.flags.writeable] == []
    for way in ours.keys() & theirs.keys():  # caches need not be copied
        assert np.array_equal(ours[way], theirs[way], equal_nan=ours[way].dtype.kind == "f")


def test_an_alignment_does_not_follow_its_caller(draws, estimate):
    reference = estimate.matrix.copy()
    alignment = fangs.align(reference, draws)
    before = alignment.losses()
    reference[:] = 1
    assert np.array_equal(alignment.losses(), before)
    assert np.array_equal(alignment.reference, estimate.matrix)


def test_bounds_of_a_certificate_stay_read_only(draws, estimate):
    certificate = pickle.loads(pickle.dumps(fangs.certify(estimate, draws, method="items")))
    with pytest.raises(TypeError, match="item assignment"):
        certificate.bounds["items"] = 0.0


@pytest.mark.parametrize("name", ["items", "chains", "weights", "n_items", "fingerprint"])
def test_nothing_of_samples_can_be_assigned_unchecked(draws, name):
    with pytest.raises(AttributeError):
        setattr(fangs.Samples(draws), name, None)
