"""Results: public, described, and never changed, also in copies and from pickles."""

import copy
import dataclasses
import inspect
import pickle
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

import fangs

ESTIMATE_AND_DRAWS = {
    fangs.Samples: lambda e, d: fangs.Samples(list(d), chains=d.chains, weights=range(len(d))),
    fangs.Estimate: lambda e, d: e,
    fangs.results.Search: lambda e, d: e.search,
    fangs.results.Start: lambda e, d: e.search.starts[0],
    fangs.results.Alignment: lambda e, d: fangs.align(e, d),
    fangs.results.Unmatched: lambda e, d: fangs.align(e, d).unmatched,
    fangs.results.FeaturesByChain: lambda e, d: fangs.align(e, d).by_chain(),
    fangs.results.ParameterTable: lambda e, d: fangs.align(e, d).table(
        [np.ones(k) for k in d.n_features]
    ),
    fangs.results.Summary: lambda e, d: fangs.summary(e, d),
    fangs.results.FeatureSummary: lambda e, d: fangs.summary(e, d).features,
    fangs.results.ItemSummary: lambda e, d: fangs.summary(e, d).items,
    fangs.results.Distribution: lambda e, d: fangs.summary(e, d).n_features,
    fangs.results.ErrorRates: lambda e, d: fangs.summary(e, d).error_rates,
    fangs.results.Core: lambda e, d: fangs.core(e, d),
    fangs.results.CredibleBall: lambda e, d: fangs.credible_ball(e, d),
    fangs.results.ChainComparison: lambda e, d: fangs.compare_chains(d, estimate=e, seed=1),
    fangs.results.Stability: lambda e, d: fangs.stability(e, d, n=3, seed=1),
    fangs.results.HeldOutLoss: lambda e, d: fangs.held_out_loss(d, seed=1),
    fangs.results.Certificate: lambda e, d: fangs.certify(e, d, method="items"),
    fangs.results.SparsityPath: lambda e, d: fangs.sparsity_path(d, a=[1.0, 1.5], seed=1),
    fangs.results.Segment: lambda e, d: fangs.sparsity_path(d, a=[1.0], seed=1).segments[0],
    fangs.results.Choice: lambda e, d: fangs.choose_a(d, n_features=4, seed=1),
    fangs.results.Interval: lambda e, d: fangs.flip_optimal_interval(e, d),
    fangs.results.Modes: lambda e, d: fangs.modes(d, max_modes=2, seed=1),
    fangs.results.ModesStep: lambda e, d: fangs.modes(d, n_modes=1, seed=1).steps[0],
    fangs.results.Comparison: lambda e, d: fangs.compare(d, methods=["map"]),
    fangs.results.Compared: lambda e, d: fangs.compare(d, methods=["map"]).rows[0],
    fangs.results.Interrupted: lambda e, d: fangs.results.Interrupted(e, fangs.summary(e, d)),
    fangs.results.Progress: lambda e, d: fangs.results.Progress("start", 1, 2, 3.0),
    fangs.results.Inspection: lambda e, d: None,  # of a file; made below
}
"""How to make one of each public class."""


INNER = ("engine", "_methods")
"""What passes over the draws keeps its own notes; users do not meet it."""


def parts(value):
    """What an object of the package holds or computes, by name, unless it is made at each look."""
    computed = [n for kind in type(value).__mro__ for n, v in vars(kind).items() if is_property(v)]
    for name in dict.fromkeys((*vars(value), *computed)):
        if name not in INNER and (part := getattr(value, name)) is getattr(value, name):
            yield name, part


def is_property(value):
    return isinstance(value, property | cached_property)


def contents(value, seen):
    """Every array, dict and object of ours in a result, however deep, with the way to it."""
    if id(value) in seen:
        return
    seen[id(value)] = value  # kept alive, so that no other object gets its id
    inside = ()
    is_ours = type(value).__module__.startswith("fangs")
    if is_ours or isinstance(value, np.ndarray | dict):
        yield "", value
    if isinstance(value, Mapping):
        inside = value.items()
    elif isinstance(value, tuple | list):
        inside = enumerate(value)
    elif is_ours and hasattr(value, "__dict__"):
        inside = parts(value)
    for name, part in inside:
        yield from ((f".{name}{way}", found) for way, found in contents(part, seen))


def arrays(value):
    return {way: found for way, found in contents(value, {}) if isinstance(found, np.ndarray)}


def changeable(value):
    """The ways to all that could be changed in place."""
    for way, found in contents(value, {}):
        if isinstance(found, np.ndarray):
            if found.flags.writeable:
                yield way
        elif isinstance(found, dict):
            with suppress(TypeError):
                found["new"] = None
                yield way


@pytest.fixture(params=ESTIMATE_AND_DRAWS, ids=lambda kind: kind.__name__)
def result(request, estimate, draws, tmp_path):
    if request.param is fangs.results.Inspection:
        draws.save(tmp_path / "draws.npz")
        return fangs.inspect(tmp_path / "draws.npz")
    made = ESTIMATE_AND_DRAWS[request.param](estimate, draws)
    assert type(made) is request.param
    return made


def test_every_public_class_is_here():
    public = {getattr(home, name) for home in (fangs, fangs.results) for name in home.__all__}
    classes = {kind for kind in public if inspect.isclass(kind)} - {fangs.results.Variable}
    assert classes == set(ESTIMATE_AND_DRAWS)


INTERNAL = {"FrozenDict", "SamplesInfo", "Labels"}
"""What passes over the draws is not for users."""


def test_every_class_that_users_receive_is_public(result):
    found = {type(part) for way, part in contents(result, {}) if "._" not in way}
    received = {kind for kind in found if kind.__module__.startswith("fangs")}
    for kind in received - {fangs.Estimate, fangs.Samples}:
        if kind.__name__ not in INTERNAL and kind.__name__[0] != "_":
            assert getattr(fangs.results, kind.__name__, None) is kind, kind


def test_no_array_of_a_result_can_be_changed(result):
    repr(result)  # fills caches
    assert list(changeable(result)) == []


@pytest.mark.parametrize(
    "copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy],
    ids=["pickle", "deepcopy", "copy"],
)  # fmt: skip
def test_copies_are_the_same_and_as_read_only(result, copied):
    other = copied(result)
    assert type(other) is type(result)
    assert str(other) == str(result)
    assert list(changeable(other)) == []
    ours, theirs = arrays(result), arrays(other)
    for way in ours.keys() & theirs.keys():  # caches need not be copied
        assert np.array_equal(ours[way], theirs[way], equal_nan=ours[way].dtype.kind == "f")


def test_what_is_read_back_is_as_read_only(draws, estimate, tmp_path):
    estimate.save(tmp_path / "estimate.npz")
    draws.save(tmp_path / "draws.npz")
    for result in (fangs.load(tmp_path / "estimate.npz"), fangs.read(tmp_path / "draws.npz")):
        assert list(changeable(result)) == []


RNG = np.random.default_rng(3)
GIVEN = {
    "draws": RNG.integers(2, size=(12, 9, 3), dtype=np.uint8),
    "chains": np.arange(12) % 2,
    "weights": RNG.integers(1, 4, size=12),
    "items": np.array([f"item {i}" for i in range(9)]),
    "matrix": RNG.integers(2, size=(9, 3), dtype=np.uint8),
    "grid": np.array([0.5, 1.0, 1.5]),
    "parameters": RNG.normal(size=(12, 3, 2)),
    "proportions": RNG.random((9, 3)),
}
"""Arrays of a caller."""
FROM_ARRAYS = {
    "Samples": lambda g, s: samples_of(g),
    "from_chains": lambda g, s: fangs.Samples.from_chains([g["draws"], g["draws"]]),
    "estimate": lambda g, s: fangs.estimate(g["draws"], seed=1),
    "assess": lambda g, s: fangs.assess(g["matrix"], s),
    "align": lambda g, s: fangs.align(g["matrix"], s),
    "apply": lambda g, s: fangs.align(g["matrix"], s).apply(g["parameters"]),
    "table": lambda g, s: fangs.align(g["matrix"], s).table(g["parameters"]),
    "summary": lambda g, s: fangs.summary(g["matrix"], s),
    "credible_ball": lambda g, s: fangs.credible_ball(g["matrix"], s),
    "certify": lambda g, s: fangs.certify(g["matrix"], s, method="items"),
    "left_ordered": lambda g, s: fangs.left_ordered(g["matrix"]),
    "sparsity_path": lambda g, s: fangs.sparsity_path(s, a=g["grid"], seed=1),
    "flip_optimal_interval": lambda g, s: fangs.flip_optimal_interval(g["matrix"], s),
    "Estimate": lambda g, s: fangs.Estimate(
        matrix=g["matrix"], expected_loss=1.0, a=1.0, proportions=g["proportions"],
        losses=g["grid"], items=None, is_flip_optimal=False,
    ),
}  # fmt: skip


def samples_of(given):
    names = ("items", "chains", "weights")
    return fangs.Samples(given["draws"], **{name: given[name] for name in names})


@pytest.mark.parametrize("make", FROM_ARRAYS.values(), ids=FROM_ARRAYS)
def test_a_result_and_its_caller_share_no_array(make):
    given = {name: array.copy() for name, array in GIVEN.items()}
    result = make(given, samples_of(GIVEN))
    for name, array in given.items():
        assert array.flags.writeable, name
        assert np.array_equal(array, GIVEN[name]), name
        for way, found in arrays(result).items():
            assert not np.shares_memory(array, found), (name, way)


@pytest.mark.parametrize("name", ["items", "chains", "weights", "n_items", "fingerprint"])
def test_nothing_of_samples_can_be_assigned_unchecked(draws, name):
    with pytest.raises(AttributeError):
        setattr(fangs.Samples(draws), name, None)


def named_in_reprs():
    found = set()
    for path in Path(fangs.__file__).parent.rglob("*.py"):
        found |= set(re.findall(r"f\"<(?:fangs\.)?(\w+): ", path.read_text("utf-8")))
    return found


def test_every_name_that_is_printed_is_public():
    names = named_in_reprs()
    assert {"Estimate", "Segment", "Unmatched", "SparsityPath"} <= names
    for name in names:
        homes = (fangs, fangs.results, fangs.simulate)
        assert [home for home in homes if name in home.__all__], name


def test_every_table_becomes_a_frame(draws, estimate):
    path = fangs.sparsity_path(draws, a=[0.5, 1.0], seed=1)
    chains, modes = fangs.compare_chains(draws, seed=1), fangs.modes(draws, seed=1)
    summary, ball = fangs.summary(estimate, draws), fangs.credible_ball(estimate, draws)
    certificate = fangs.certify(estimate, draws, method="pairs")
    frames = {
        "feature": (summary.to_frame(), estimate.n_features),
        "item": (summary.items.to_frame(), estimate.n_items),
        "chain": (chains.to_frame(), 4),
        "mode": (modes.to_frame(), 2),
        "a": (path.to_frame(), 2),
        "draw": (ball.to_frame(), len(ball.members)),
        "size": (fangs.core(estimate, draws).to_frame(), estimate.matrix.size + 1),
        "method": (certificate.to_frame(), 2),
    }
    for name, (frame, n_rows) in frames.items():
        assert frame.index.name == name
        assert len(frame) == n_rows
        assert not frame.isna().any(axis=None)
    assert summary.items.to_frame()["mismatch"].sum() == pytest.approx(estimate.expected_loss)
    assert path.to_frame().loc[1.0, "n_ones"] == estimate.n_ones
    assert ball.to_frame()["loss"].max() == ball.radius


def public_classes():
    for module in (fangs, fangs.alternatives, fangs.datasets, fangs.distributed, fangs.simulate):
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, type):
                yield value


@pytest.mark.parametrize("kind", list(public_classes()), ids=lambda kind: kind.__name__)
def test_help_describes_every_field(kind):
    fields = getattr(kind, "_fields", ())
    if dataclasses.is_dataclass(kind):
        fields = [field.name for field in dataclasses.fields(kind)]
    text = inspect.cleandoc(kind.__doc__)  # from Python 3.13 on it is clean already
    described = "".join(
        re.findall(r"\n *(?:Attributes|Parameters)\n *-+\n(.*?)(?=\n\n|\Z)", text, re.S)
    )
    named = re.findall(r"^(\w[\w, ]*?)(?: : .*)?$", described, re.M)
    words = {word for line in named for word in line.split(", ")}
    assert [name for name in fields if not name.startswith("_") and name not in words] == []
