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
@pytest.mark.parametrize("a", [0, 2, 0.0, 2.0, -0.5, 2.5, np.nan, np.inf])
def test_a_penalty_outside_0_to_2_is_refused(use, a):
    with refuses("a", str(a), error=ValueError):
        USES_OF_A[use](a)


@pytest.mark.parametrize("a", [10**400, -(10**400)], ids=["large", "small"])
def test_a_penalty_too_large_for_a_float_is_refused(a):
    with pytest.raises(ValueError, match=rf"a = {a} is outside"):
        fangs.estimate([GOOD], a=a)


@pytest.mark.parametrize("use", USES_OF_A)
@pytest.mark.parametrize("a", ["1", None, [1.0], 1j, True])
def test_a_penalty_that_is_no_number_is_refused(use, a):
    with refuses("a", str(a).strip("()"), error=TypeError):
        USES_OF_A[use](a)


SMALLEST = {"n_init": 1, "n_sweet": 1, "n_iter": 0, "n_threads": 1}


@pytest.mark.parametrize("name", SMALLEST)
@pytest.mark.parametrize("value", [1.5, "4", [1], np.nan, True])
def test_counts_that_are_no_integers_are_refused(name, value):
    with refuses(name, str(value), error=TypeError):
        fangs.estimate([GOOD], **{name: value})


@pytest.mark.parametrize("name", SMALLEST)
def test_counts_that_are_too_small_are_refused(name):
    for value in (SMALLEST[name] - 1, -7):
        with refuses(name, str(value), error=ValueError):
            fangs.estimate([GOOD], **{name: value})
    fangs.estimate([GOOD], **{name: np.int64(SMALLEST[name])})


@pytest.mark.parametrize("value", [0, -1, np.nan, -np.inf])
def test_an_impossible_time_limit_is_refused(value):
    with refuses("max_seconds", str(value), error=ValueError):
        fangs.estimate([GOOD], max_seconds=value)


@pytest.mark.parametrize("value", ["1", [3], True])
def test_a_time_limit_that_is_no_number_is_refused(value):
    with refuses("max_seconds", str(value), error=TypeError):
        fangs.estimate([GOOD], max_seconds=value)


@pytest.mark.parametrize(("error", "seed"), [(ValueError, -1), (TypeError, "x"), (TypeError, 1.5)])
def test_a_bad_seed_is_refused(error, seed):
    with refuses("seed", str(seed), error=error):
        fangs.estimate([GOOD], seed=seed)


@pytest.mark.parametrize("progress", ["yes", 1])
def test_progress_that_cannot_be_called_is_refused(progress):
    with refuses("progress", error=TypeError):
        fangs.estimate([GOOD], progress=progress)


def test_options_are_keyword_only():
    with pytest.raises(TypeError):
        fangs.estimate([GOOD], 1.0)
    with pytest.raises(TypeError):
        fangs.faro_loss(GOOD, GOOD, 1.0)
    with pytest.raises(TypeError):
        fangs.Samples([GOOD], ["x", "y", "z"])


def swapped_calls():
    draws = fangs.datasets.example()
    found = fangs.assess(draws[0], draws)
    return {
        "expected_loss": lambda: fangs.expected_loss(draws, found),
        "assess": lambda: fangs.assess(draws, found),
        "summary": lambda: fangs.summary(draws, found),
        "credible_ball": lambda: fangs.credible_ball(draws, found),
        "align": lambda: fangs.align(draws, found),
        "certify": lambda: fangs.certify(draws, found),
        "faro_loss": lambda: fangs.faro_loss(draws, found),
    }


@pytest.mark.parametrize("call", list(swapped_calls()))
def test_swapped_arguments_are_recognised(call):
    with pytest.raises(TypeError, match="swap them"):
        swapped_calls()[call]()


def test_a_report_says_which_argument_comes_first(draws, estimate):
    with pytest.raises(TypeError, match=r'estimate\.report\("report\.html", draws\)'):
        estimate.report(draws, "report.html")


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
    with pytest.raises(ValueError, match=r"level = \d+ is outside"):
        fangs.summary(found, [GOOD], level=10**400)
