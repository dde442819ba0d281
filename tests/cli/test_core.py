"""`fangs assess --core` prints what the library returns."""

import json

import numpy as np
import pytest

import fangs
from support.program import assert_fails, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    draws = fangs.datasets.arrests()
    draws.save(folder / "draws.npz")
    fangs.estimate(draws, seed=1).save(folder / "estimate.npz")
    return folder


def assess(folder, *options):
    matrix = folder / "estimate.npz"
    return run("assess", folder / "draws.npz", "--matrix", matrix, *options)


def test_the_core_is_printed_below_the_assessment(folder):
    wanted = fangs.core(fangs.load(folder / "estimate.npz"), fangs.datasets.arrests(), level=0.8)
    plain, done = assess(folder).stdout, assess(folder, "--core", 0.8)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(plain)
    assert done.stdout.removeprefix(plain).strip() == str(wanted)


def test_the_document_has_the_mask(folder):
    wanted = fangs.core(fangs.load(folder / "estimate.npz"), fangs.datasets.arrests(), level=0.8)
    found = json.loads(assess(folder, "--core", 0.8, "--json").stdout)
    assert found["estimate"]["expected_loss"] == 28.172
    core = found["core"]
    assert np.array_equal(np.array(core["entries"]), wanted.entries)
    assert (core["size"], core["probability"], core["is_exact"]) == (53, wanted.probability, True)


def test_a_level_is_checked_before_any_work(folder):
    assert_fails(assess(folder, "--core", 95), "--core = 95", "give 0.95")
