"""Every example of a help page runs as it stands; --json prints one document and nothing else."""

import json
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

import fangs
from fangs.cli.commands import COMMANDS
from support.program import run

R_FILE = Path(__file__).parents[1] / "data" / "r" / "draws.v3.gzip.rds"
LONG = "--case sifa"  # draws of a large study, for minutes
ELSEWHERE = "--scheduler"  # a cluster that is not here; test_cluster.py has one
EXAMPLES = [
    example
    for command in COMMANDS
    for example in command.examples
    if LONG not in example and ELSEWHERE not in example
]
WEIGHTED = {
    "estimate": ["--seed", "1"],
    "assess": ["--matrix", "mine.csv"],
    "compare": ["--seed", "1", "--methods", "estimate,draws"],
    "path": ["--seed", "1", "--grid", "0.5,1,1.5"],
    "chains": ["--seed", "1"],
    "modes": ["--seed", "1", "--n-modes", "1"],
    "certify": ["--seed", "1"],
}
"""Commands that take weights and print JSON, with what else they need."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Small files of the names that the examples use."""
    folder = tmp_path_factory.mktemp("examples")
    made = fangs.simulate.posterior_like(6, 2, 40, noise=0.1, seed=4)
    samples = fangs.Samples(made.draws, chains=np.arange(40) // 20)
    samples.save(folder / "draws.npz")
    np.save(folder / "draws.npy", samples.to_xarray().values)
    shutil.copy(R_FILE, folder / "draws.rds")
    long = samples.select(np.tile(np.arange(40), 30))
    long = fangs.Samples(list(long), chains=np.arange(1200) // 600)
    for suffix in ("nc", "zarr"):
        long.save(folder / f"posterior.{suffix}")
    for number in (1, 2, 3):
        long.chain(0).save(folder / f"chain{number}.csv")
    rng = np.random.default_rng(1)
    weights = rng.integers(1, 4, size=40)
    np.savetxt(folder / "weights.txt", weights, fmt="%d")
    for name in ("particles", "longer"):
        samples.save(folder / f"{name}.npz")
    samples.select(np.repeat(np.arange(40), weights)).save(folder / "copies.npz")
    found = fangs.estimate(samples, seed=1)
    found.save(folder / "estimate.npz")
    for name in ("estimate", "mine", "truth"):
        found.save(folder / f"{name}.csv")
    sparser = fangs.estimate(samples, a=1.4, seed=1)
    names = [f"feature {chr(97 + j)}\n" for j in range(sparser.n_features)]
    (folder / "names.txt").write_text("".join(names))
    return folder


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example, files, tmp_path):
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    _, *words = shlex.split(example.partition(">")[0])
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    if "--json" in words:
        assert json.loads(done.stdout)


@pytest.mark.parametrize("command", WEIGHTED)
def test_weights_mean_the_same_as_copies(command, files):
    options = [*WEIGHTED[command], "--json"]
    weighted = ["particles.npz", "--weights", "weights.txt"]
    weighted, copied = (
        json.loads(run(command, *words, *options, cwd=files).stdout)
        for words in (weighted, ["copies.npz"])
    )
    names = {"expected_loss", "lower_bound", "n_ones", "rhat", "distances", "proportions"}
    found = list(values(weighted, names))
    assert found
    assert found == list(values(copied, names))


def values(document, names):
    """Everything of these names in a document, apart from the record of the search."""
    if isinstance(document, list):
        for entry in document:
            yield from values(entry, names)
    elif isinstance(document, dict):
        for name, entry in document.items():
            if name in names:
                yield name, entry
            elif name != "search":
                yield from values(entry, names)
