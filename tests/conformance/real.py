"""What coda, rjags, R2jags, NIMBLE and posterior wrote in R; the files are not in the repository.

Set REAL to the folder that has them. Chains are compared by their order, not by their labels.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import fangs
from conformance.rows import Row, as_list
from conformance.tables import LETTERS

HAS_FILES = "REAL" in os.environ
FOLDER = Path(os.environ.get("REAL", "."), "mcmc")

FILES = {
    ("jags", True): (
        "coda_samples.rds coda_wide_default.csv coda_wide_checknames.csv array_named.rds "
        "array_long_named.csv jags_samples.rds jags_samples_Z.rds posterior_draws_array.rds "
        "posterior_draws_df.rds posterior_draws_df.csv posterior_draws_list.rds "
        "posterior_draws_rvars.rds"
    ),
    ("jags", False): "coda_as_matrix.rds coda_wide_nochain.csv posterior_draws_matrix.rds",
    ("r2jags", True): "r2jags_sims_array.rds r2jags_as_mcmc.rds",
    ("r2jags_sims_list", False): "r2jags_sims_matrix.rds",
    ("nimble_mcmc_list", True): "nimble_mcmc_list.rds",
    ("nimble_samples", True): "nimble_samples.rds",
}
"""By the draws in truth.npz, and whether the files tell chains apart."""

TOLD: list[tuple[str, bool, str, dict[str, Any]]] = [
    ("jags", True, "coda_workspace.RData", {"variable": "samples"}),
    ("jags", True, "mcarray_long_letters.csv", {"dims": LETTERS}),
    ("r2jags", True, "r2jags_fit.rds", {"variable": "BUGSoutput$sims.array"}),
    ("r2jags", True, "r2jags_BUGSoutput.rds", {"variable": "sims.array"}),
    ("r2jags_sims_list", False, "r2jags_sims_list.rds", {"variable": "Z[draw, item, feature]"}),
    ("nimble_samples", True, "nimble_samples.rds", {"variable": ["chain1", "chain2"]}),
]
"""Files that have to be told something."""


def without_labels(path: Path, has_chains: bool, **options: Any) -> fangs.Samples:
    """The draws, and chains as numbers in their order, where the file has to tell them apart."""
    found = fangs.read(path, **options)
    labels = as_list(found.chains) or []
    chains = [list(dict.fromkeys(labels)).index(label) for label in labels] if has_chains else None
    return fangs.Samples(list(found), chains=chains)


def real_rows() -> list[Row]:
    truth = np.load(FOLDER / "truth.npz") if HAS_FILES else {}
    rows = []
    plain = [(*key, name, {}) for key, names in FILES.items() for name in names.split()]
    for key, has_chains, name, options in [*plain, *TOLD]:
        draws = truth[key].reshape(-1, 6, 3) if HAS_FILES else np.ones((2, 6, 3))
        chains = np.repeat([0, 1], len(draws) // 2) if has_chains else None
        about = " with ".join([f"real: {name}", *options])
        read = partial(without_labels, has_chains=has_chains)
        wanted = fangs.Samples(draws, chains=chains)
        rows.append(Row(about, lambda _, n=name: FOLDER / n, wanted, read, options))
    letters = next(row for row in rows if "letters" in row.id)
    told = ("dims=", "Var1")
    return [*rows, replace(letters, id="real: letters without dims", options={}, refusal=told)]
