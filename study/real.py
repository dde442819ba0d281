"""Posteriors made by others: the study's tables on draws that are not part of the repository.

The files are read from a folder that the user names (``make study REAL=folder``). What was measured
is kept in ``results/real.json``, figures only, so that the page can be written without the files.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import fangs
from study import cases, iterations, penalties
from study.cases import Measured, Outcome
from study.penalties import Searched, Size

RESULTS = Path(__file__).parent / "results" / "real.json"


@dataclass(frozen=True)
class Source:
    """Where a set of draws is found, and where it comes from."""

    title: str
    pattern: str
    """Name of the file; it may have wildcards."""
    variable: str | None
    origin: str
    burn_in: int = 0
    """Draws left out at the beginning."""


_PROOF = "proof of concept of the AIBD, repository dbdahl/aibd"
SOURCES: Mapping[str, Source] = {
    "samplesFA": Source(
        "samplesFA",
        "samplesFA.RData",
        "samplesFA",
        "R package fangs: 100 of the paper's 1000 AIBD draws",
    ),
    "aibd10_100": Source("AIBD, n = 10, short", "out.10.100.*.RData", "samplesAIBD", _PROOF),
    "ibp10_100": Source("IBP, n = 10, short", "out.10.100.*.RData", "samplesIBP", _PROOF),
    "aibd10": Source("AIBD, n = 10", "out.10.1000.*.RData", "samplesAIBD", _PROOF),
    "ibp10": Source("IBP, n = 10", "out.10.1000.*.RData", "samplesIBP", _PROOF),
    "aibd30": Source("AIBD, n = 30", "out.30.1000.*.RData", "samplesAIBD", _PROOF),
    "ibp30": Source("IBP, n = 30", "out.30.1000.*.RData", "samplesIBP", _PROOF),
    "usarrests": Source("USArrests", "USArrests*.RData", None, "R package sdols: 50 states"),
    "canopy": Source(
        "Canopy",
        "MDA231_sampchain.rda",
        "MDA231_sampchain[[]][[]][[]]$Z",
        "R package Canopy: mutations in clones",
    ),
    "cardelino": Source(
        "cardelino",
        "canopy_results.coveraged.rds",
        "post[[1]][[]]$Z",
        "R package cardelino: variants in clones",
    ),
    "discode": Source(
        "discode",
        "chain_ibp_1000.mat",
        "chain.Z(draw, item, feature)",
        "repository kentwang/discode, burn-in included",
    ),
    "discode_300": Source(
        "discode, after 300",
        "chain_ibp_1000.mat",
        "chain.Z(draw, item, feature)",
        "the same without its first 300 draws",
        burn_in=300,
    ),
}
N_ITER = {"samplesFA": (1, 10, 30, 100, 300, 1000, 3000), "ibp30": (10, 100, 300, 1000, 3000)}
"""Proposals per start, for the sets whose losses are shown against them."""
BY_PENALTY = ("samplesFA", "ibp30")
"""Sets that are estimated at every penalty of the paper's table."""

MOST_DRAWS_FOR_R = 5000
"""With more draws, R takes minutes."""

CERTIFY_SECONDS = 60.0
"""Time for a proof; most take a second, those of thirty items up to 30 s of processor time."""

RSearch = Callable[..., Any]
"""`benchmarks.r_fangs.estimate`, or anything that is called and answers like it."""


@dataclass(frozen=True)
class RFound:
    """One run of the authors' R package with 1000 iterations."""

    size: Size
    seconds: float


@dataclass(frozen=True)
class Result:
    """What was measured on one set."""

    title: str
    origin: str
    n_items: int
    n_draws: int
    widths: tuple[int, int]
    measured: Measured
    lower_bound: float
    """No allocation has a lower expected loss at a = 1."""
    r: RFound | None
    losses: Mapping[int, Sequence[float]]
    """Expected losses by number of proposals; empty where not asked for."""
    searched: Searched
    """Estimates by penalty; empty where not asked for."""
    r_by_penalty: Mapping[float, RFound]


@dataclass(frozen=True)
class Results:
    """All sets, and what they were measured with."""

    about: str
    sets: Mapping[str, Result]


def read(folder: Path, source: Source) -> fangs.Samples:
    """Read one set."""
    paths = sorted(folder.glob(source.pattern))
    if len(paths) != 1:
        raise ValueError(
            f"{folder} has {len(paths)} files {source.pattern!r}; the study needs exactly one"
        )
    samples = fangs.read(paths[0], variable=source.variable)
    if not source.burn_in:
        return samples
    return fangs.Samples(list(samples)[source.burn_in :], items=samples.items)


def measure(
    folder: Path,
    *,
    sources: Mapping[str, Source] = SOURCES,
    n_iter: Mapping[str, Sequence[int]] = N_ITER,
    by_penalty: Sequence[str] = BY_PENALTY,
    r_search: RSearch | None = None,
    r_version: str | None = None,
) -> Results:
    """Measure every set of the folder; with R where it is given."""
    found = {}
    for name, source in sources.items():
        samples = read(folder, source)
        widths = samples.n_features
        found[name] = Result(
            title=source.title,
            origin=source.origin,
            n_items=samples.n_items,
            n_draws=len(samples),
            widths=(int(widths.min()), int(widths.max())),
            measured=cases.measure(samples),
            lower_bound=_lower_bound(samples),
            r=_run_r(samples, 1.0, r_search),
            losses=iterations.measure(samples, n_iter.get(name, ())),
            searched=penalties.measure(
                samples, penalties=penalties.PENALTIES if name in by_penalty else ()
            ),
            r_by_penalty={
                a: run
                for a in (penalties.PENALTIES if name in by_penalty else ())
                if (run := _run_r(samples, a, r_search)) is not None
            },
        )
    about = (
        f"{date.today()}, {platform.machine()}, Python {platform.python_version()}, NumPy "
        f"{np.__version__}, fangs {fangs.__version__}, {r_version or 'without R'}"
    )
    return Results(about, found)


def _lower_bound(samples: fangs.Samples) -> float:
    """Certify the default estimate."""
    found = fangs.estimate(samples, seed=0)
    return fangs.certify(found, samples, max_seconds=CERTIFY_SECONDS).lower_bound


def _run_r(samples: fangs.Samples, a: float, search: RSearch | None) -> RFound | None:
    if search is None or len(samples) > MOST_DRAWS_FOR_R:
        return None
    found = search(list(samples), a=a, n_iter=1000)
    matrix = found.matrix[:, found.matrix.any(axis=0)]
    loss = fangs.expected_loss(matrix, samples, a=a)  # to all digits
    return RFound(Size(matrix.shape[1], int(matrix.sum()), loss), found.seconds)


def save(results: Results, path: Path = RESULTS) -> None:
    """Keep the figures."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(results), indent=1) + "\n", encoding="utf-8")


def load(path: Path = RESULTS) -> Results:
    """Return the figures of the last run that had the files."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    return Results(kept["about"], {name: _result(one) for name, one in kept["sets"].items()})


def _result(kept: dict[str, Any]) -> Result:
    """Build a result from what JSON makes of it: lists for tuples, text for numbers as keys."""
    outcomes = {
        name: Outcome(tuple(one["losses"]), one["seconds"])
        for name, one in kept["measured"].items()
    }
    searched = {
        name: {float(a): Size(**size) for a, size in sizes.items()}
        for name, sizes in kept["searched"].items()
    }
    return Result(
        **{
            **kept,
            "widths": tuple(kept["widths"]),
            "measured": Measured(**outcomes),
            "r": _r_found(kept["r"]) if kept["r"] else None,
            "losses": {int(count): losses for count, losses in kept["losses"].items()},
            "searched": Searched(**searched),
            "r_by_penalty": {float(a): _r_found(run) for a, run in kept["r_by_penalty"].items()},
        }
    )


def _r_found(kept: dict[str, Any]) -> RFound:
    return RFound(Size(**kept["size"]), kept["seconds"])
