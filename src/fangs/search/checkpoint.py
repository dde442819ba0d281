"""Checkpoints: the finished steps of a search, in a file, so that a killed one can go on.

The search is a fixed sequence of steps: all starts, each descent, each round of perturbations. What
a step gives depends on the draws, the settings and the steps before it, so a search that takes the
finished steps from a file ends with the same bits as one that was never stopped.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix
from fangs.estimate import Search
from fangs.samples_info import SamplesInfo

EVERY = 2.0
"""Least seconds between two times that the file is written."""
SHARE = 0.05
"""Largest share of the time that goes into writing."""


@dataclass(frozen=True, eq=False)
class Step:
    """What a finished step gave: numbers that fit into JSON, and allocations."""

    record: dict[str, Any]
    matrices: Sequence[BinaryMatrix]


class Checkpoint:
    """The finished steps of a search by name, and its best allocation."""

    def __init__(self, path: str | os.PathLike[str], identity: dict[str, Any]) -> None:
        self.path = path
        self.identity = identity
        self.steps: dict[str, Step] = {}
        self.incumbent: Step | None = None
        self._is_written = False
        self._due_at = perf_counter() + EVERY

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], identity: dict[str, Any], *, resume: bool
    ) -> Checkpoint:
        """A checkpoint for a search; `resume` takes the steps of a file that is there already."""
        from fangs.io.atomic import check_writable

        check_writable(path, suffixes=[os.path.splitext(path)[1].lower()])
        found = cls(path, identity)
        if not os.path.exists(path):
            return found
        if not resume:
            raise ValueError(
                f"checkpoint {os.fspath(path)!r} exists already; resume the search that it is of, "
                "or remove it"
            )
        record, arrays = _read(path)
        for name, ours in identity.items():
            if (theirs := record["identity"].get(name)) != ours:
                raise ValueError(
                    f"checkpoint {os.fspath(path)!r} is of another search: it has {name} = "
                    f"{theirs!r}, not {ours!r}; give what it was made with, or another file"
                )
        found.steps = {name: _restored(name, step, arrays) for name, step in record["steps"]}
        found.incumbent = found.steps.pop("incumbent", None)
        return found

    @property
    def is_due(self) -> bool:
        """Whether it is time to write the file."""
        return perf_counter() >= self._due_at

    def complete(self, name: str, step: Step, incumbent: Step | None) -> None:
        """Note a finished step, and the best allocation after it; write the file if it is time."""
        self.steps[name], self.incumbent, self._is_written = step, incumbent, False
        if self.is_due:
            self.write()

    def write(self) -> None:
        """Write the file, whole or not at all, unless nothing is new."""
        from fangs.io.archive import write_archive

        if self._is_written:
            return
        began = perf_counter()
        steps = dict(self.steps)
        if self.incumbent is not None:
            steps["incumbent"] = self.incumbent
        record = {
            "identity": self.identity,
            "steps": [
                (name, {"record": step.record, "shapes": [m.shape for m in step.matrices]})
                for name, step in steps.items()
            ],
        }
        arrays: dict[str, npt.NDArray[Any]] = {
            f"{name} {i}": np.packbits(matrix)
            for name, step in steps.items()
            for i, matrix in enumerate(step.matrices)
        }
        write_archive(self.path, kind="checkpoint", record=record, arrays=arrays)
        self._is_written = True
        ended = perf_counter()
        self._due_at = ended + max(EVERY, (ended - began) / SHARE)


def seed_of(path: str | os.PathLike[str]) -> int | None:
    """The seed of the search that a checkpoint is of; None without such a file."""
    return int(_read(path)[0]["identity"]["seed"]) if os.path.exists(path) else None


def identity_of(info: SamplesInfo, a: float, settings: Search, params: Any) -> dict[str, Any]:
    """What a search depends on: resumed with anything else, it would be another one."""
    from importlib.metadata import version  # takes a while, and only checkpoints need it

    draws = hashlib.sha256(str((info.n_items, info.fingerprint)).encode())
    for array in (info.hashes, info.weights):
        draws.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    return {
        "draws": draws.hexdigest()[:16],
        "a": a,
        "seed": settings.seed,
        "n_init": settings.n_init,
        "n_sweet": settings.n_sweet,
        "n_iter": settings.n_iter,
        "parameters": hashlib.sha256(repr(params).encode()).hexdigest()[:16],
        "fangs": version("fangs"),
    }


def _read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    from fangs.io.archive import read_archive

    return read_archive(path, kind="checkpoint")


def _restored(name: str, step: dict[str, Any], arrays: dict[str, Any]) -> Step:
    matrices = [
        np.unpackbits(arrays[f"{name} {i}"], count=int(np.prod(shape))).reshape(shape)
        for i, shape in enumerate(step["shapes"])
    ]
    return Step(step["record"], matrices)
