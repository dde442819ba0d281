"""Files of draws that others saved, read in one call each; they are not part of the repository.

Set REAL to the folder that has them. The losses are the lowest known ones.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import fangs
from fangs.formats import inspect, read_values
from support.program import run

pytestmark = pytest.mark.skipif("REAL" not in os.environ, reason="REAL names no folder with files")
REAL = Path(os.environ.get("REAL", "."))
AIBD, IBP = "samplesAIBD", "samplesIBP"
CANOPY = "MDA231_sampchain[[]][[]][[]]$Z"
A = (0.5, 1.0, 1.5)

FILES = [
    ("samplesFA.RData", None, 100, 20, (15.535, 15.45, 10.885)),
    ("out.10.100.2019-03-26-09-19-43.RData", AIBD, 100, 10, (9.45, 10.02, 6.67)),
    ("out.10.100.2019-03-26-09-19-43.RData", IBP, 100, 10, (10.52, 11.56, 7.94)),
    ("out.10.1000.2019-03-25-21-51-59.RData", AIBD, 1000, 10, (9.427, 10.218, 6.883)),
    ("out.10.1000.2019-03-25-21-51-59.RData", IBP, 1000, 10, (11.576, 12.626, 8.636)),
    ("out.30.1000.2019-03-25-21-53-38.RData", AIBD, 1000, 30, (33.617, 38.082, 27.773)),
    ("out.30.1000.2019-03-25-21-53-38.RData", IBP, 1000, 30, (36.98, 38.91, 26.846)),
    ("USArrests.featureAllocations.RData", None, 1000, 50, (20.4225, 21.659, 15.7155)),
    ("MDA231_sampchain.rda", CANOPY, 20000, 4, (2.1994, 2.9834, 2.3687)),
    ("canopy_results.coveraged.rds", None, 92, 112, (5.22283, 7.48913, 7.08152)),
    ("canopy_results.coveraged.rds", "post[[1]][[]]$Z", 92, 112, (5.22283, 7.48913, 7.08152)),
    ("chain_ibp_1000.mat", None, 1000, 100, (15.725, 21.75, 26.603)),
    ("PF-out-100.mat", None, 10, 100, (0, 0, 0)),
]


@pytest.mark.parametrize(("name", "variable", "n_draws", "n_items", "losses"), FILES)
def test_a_real_file_is_read_and_estimated(name, variable, n_draws, n_items, losses):
    samples = fangs.read(REAL / name, variable=variable)
    assert (len(samples), samples.n_items) == (n_draws, n_items)
    for a, loss in zip(A, losses, strict=True):
        found = fangs.estimate(samples, a=a, seed=1).expected_loss
        assert found == pytest.approx(loss, abs=5e-4 if n_draws > 1000 else 6e-6)


@pytest.mark.parametrize(("name", "variable", "n_draws", "n_items", "losses"), FILES)
def test_a_real_file_is_used_by_commands(name, variable, n_draws, n_items, losses, tmp_path):
    chosen = [] if variable is None else ["--variable", variable]
    done = run("estimate", REAL / name, *chosen, "--seed", 1, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["n_draws"] == n_draws
    assert found["expected_loss"] == pytest.approx(losses[1], abs=5e-4 if n_draws > 1000 else 6e-6)
    page = tmp_path / "page.html"
    done = run("report", REAL / name, *chosen, "--seed", 1, "--effort", "quick", "--out", page)
    assert done.returncode == 0, done.stderr
    assert page.exists()


def test_particles_have_weights():
    path = REAL / "PF-out-100.mat"
    assert "--weights particle_weight" in run("inspect", path).stdout
    done = run("estimate", path, "--weights", "particle_weight", "--seed", 1)
    assert "as good as 1.06 equal draws" in done.stdout
    samples = fangs.read(path, weights="particle_weight")
    assert samples.effective_draws == pytest.approx(1.06, abs=0.005)


def test_labels_chains_and_parameters():
    samples = fangs.read(REAL / "MDA231_sampchain.rda", variable=CANOPY)
    assert samples.items == ("BRAF", "KRAS", "ALPK2", "RYR1")
    assert np.bincount(samples.chains).tolist() == [250] * 80

    path, name = REAL / "USArrests.featureAllocations.RData", "USArrests.featureAllocations"
    samples = fangs.read(path, variable=name)
    assert samples.items[:2] == ("Alabama", "Alaska")
    parameters = read_values(path, variable=f"{name}[[]]@parameters")
    assert [p.shape for p in parameters] == [(k, 4) for k in samples.n_columns]
    estimate = fangs.estimate(samples, seed=1)
    assert fangs.align(estimate, samples).apply(parameters).shape == (
        1000,
        estimate.n_features,
        4,
    )


@pytest.mark.parametrize("name", sorted({name for name, *_ in FILES}))
def test_the_calls_that_a_description_gives_run(name):
    found = inspect(REAL / name)
    draws = [variable for variable in found.rows if variable.holds_draws]
    assert draws
    for variable in draws[:2]:
        assert len(eval(found.call(variable))) == variable.n_draws
