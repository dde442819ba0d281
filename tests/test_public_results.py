"""What users receive is public under the name by which it prints."""

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

import fangs

SOURCE = Path(fangs.__file__).parent


def named_in_reprs():
    found = set()
    for path in SOURCE.rglob("*.py"):
        found |= set(re.findall(r"f\"<(?:fangs\.)?(\w+): ", path.read_text("utf-8")))
    return found


def test_every_name_that_is_printed_is_public():
    names = named_in_reprs()
    assert {"Estimate", "Segment", "Unmatched", "SparsityPath"} <= names
    for name in names:
        homes = (fangs, fangs.results, fangs.simulate)
        assert [home for home in homes if name in home.__all__], name


def parts(result, seen):
    """Classes of the package in a result: its fields, properties, and what tuples hold."""
    kind = type(result)
    if isinstance(result, tuple | list):
        for each in result:
            parts(each, seen)
    if not kind.__module__.startswith("fangs") or kind in seen:
        return seen
    seen.add(kind)
    fields = [f.name for f in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []
    properties = [n for n, value in vars(kind).items() if hasattr(value, "__get__")]
    for name in {*fields, *properties}:
        value = getattr(result, name)
        if not name.startswith("_") and not callable(value):
            parts(value, seen)
    return seen


INNER = {"FrozenDict", "ThreadedEngine", "SamplesInfo", "Draws"}
"""What passes over the draws is not for users."""


def results(draws, estimate):
    yield estimate
    yield fangs.summary(estimate, draws)
    yield fangs.credible_ball(estimate, draws)
    yield fangs.align(estimate, draws)
    yield fangs.compare_chains(draws, seed=1)
    yield fangs.certify(estimate, draws, method="items")
    yield fangs.sparsity_path(draws, a=[1.0, 1.5], seed=1)
    yield fangs.choose_a(draws, n_features=4, seed=1)
    yield fangs.flip_optimal_interval(estimate, draws)
    yield fangs.modes(draws, max_modes=2, seed=1)
    yield fangs.compare(draws, methods=["map"])


def test_every_class_that_users_receive_is_public(draws, estimate):
    seen = set()
    for result in results(draws, estimate):
        parts(result, seen)
    received = {kind for kind in seen if kind.__name__ not in INNER and kind.__name__[0] != "_"}
    assert {fangs.results.Segment, fangs.results.Interval, fangs.results.Unmatched} <= received
    for kind in received - {fangs.Estimate, fangs.Samples}:
        assert getattr(fangs.results, kind.__name__, None) is kind, kind


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
