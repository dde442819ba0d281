"""Bad arguments are refused with a message that names the argument and the value."""

import numpy as np
import pytest

import fangs
from support.refusals import refuses

GOOD = np.array([[1, 0], [1, 1], [0, 1]])


USES_OF_A = {
    "faro_loss": lambda a: fangs.faro_loss(GOOD, GOOD, a=a),
    "expected_loss": lambda a: fangs.expected_loss(GOOD, [GOOD], a=a),
    "losses": lambda a: fangs.align(GOOD, [GOOD]).losses(a=a),
    "estimate": lambda a: fangs.estimate([GOOD], a=a),
}


@pytest.mark.parametrize("use", USES_OF_A)
@pytest.mark.parametrize(
    ("a", "error"),
    [
        *((a, ValueError) for a in (0, 2, 0.0, 2.0, -0.5, 2.5, np.nan, np.inf, 10**400)),
        *((a, TypeError) for a in ("1", None, [1.0], 1j, True)),
    ],
)
def test_a_penalty_that_is_none_is_refused(use, a, error):
    with refuses("a", str(a).strip("()"), error=error):
        USES_OF_A[use](a)


SMALLEST = {"n_init": 1, "n_sweet": 1, "n_iter": 0, "n_threads": 1}
OTHERS = {
    "max_seconds": [(0, -1, np.nan, -np.inf), ("1", [3], True)],
    "seed": [(-1,), ("x", 1.5)],
    "progress": [(), ("yes", 1)],
    **{name: [(least - 1, -7), (1.5, "4", [1], np.nan, True)] for name, least in SMALLEST.items()},
}
"""Values out of range, and of the wrong type."""


@pytest.mark.parametrize("name", OTHERS)
def test_other_settings_are_refused_by_name_and_value(name):
    for error, values in zip((ValueError, TypeError), OTHERS[name], strict=True):
        for value in values:
            with refuses(name, *[str(value)] * (name != "progress"), error=error):
                fangs.estimate([GOOD], **{name: value})
    if name in SMALLEST:
        fangs.estimate([GOOD], **{name: np.int64(SMALLEST[name])})


def test_options_are_keyword_only():
    with pytest.raises(TypeError):
        fangs.estimate([GOOD], 1.0)
    with pytest.raises(TypeError):
        fangs.faro_loss(GOOD, GOOD, 1.0)
    with pytest.raises(TypeError):
        fangs.Samples([GOOD], ["x", "y", "z"])


SWAPPED = ("expected_loss", "assess", "summary", "credible_ball", "align", "certify", "faro_loss")


@pytest.mark.parametrize("name", SWAPPED)
def test_swapped_arguments_are_recognised(draws, estimate, name):
    with pytest.raises(TypeError, match="swap"):
        getattr(fangs, name)(draws, estimate)


def test_one_penalty_and_several_are_told_apart(draws):
    with pytest.raises(TypeError, match=r"fangs\.estimate\(samples, a=1\.0\)"):
        fangs.sparsity_path(draws, a=1.0)
    with pytest.raises(TypeError, match=r"fangs\.sparsity_path"):
        fangs.estimate(draws, a=[0.5, 1.0])


def test_a_path_serves_wherever_draws_are_wanted(draws, estimate, tmp_path):
    draws.save(tmp_path / "draws.npz")
    for path in (tmp_path / "draws.npz", str(tmp_path / "draws.npz")):
        assert fangs.Samples(path) == draws
        assert fangs.expected_loss(estimate, path) == estimate.expected_loss
    assert fangs.plot.n_features(tmp_path / "draws.npz").get_xlabel() == "Number of features"


def test_numbers_past_64_bits_mean_what_they_say():
    found = fangs.estimate([GOOD] * 4, seed=1, n_threads=2**64, max_seconds=10**400)
    assert found.expected_loss == 0.0
