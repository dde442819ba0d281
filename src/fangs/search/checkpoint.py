"""Checkpoints: the finished steps of a search, in a file, so that a killed one can go on.

The search is a fixed sequence of steps: all starts, each descent, each round of perturbations. What
a step gives depends on the draws, the settings and the steps before it, so a search that takes the
finished steps from a file ends with the same bits as one that was never stopped.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix
from fangs._validate import as_count
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
        theirs_all, steps = _read(path)
        for name, ours in identity.items():
            if (theirs := theirs_all.get(name)) != ours:
                raise ValueError(
                    f"checkpoint {os.fspath(path)!r} is of another search: it has {name} = "
                    f"{theirs!r}, not {ours!r}; give what it was made with, or another file"
                )
        found.incumbent = steps.pop("incumbent", None)
        found.steps = steps
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
    return int(_read(path)[0]["seed"]) if os.path.exists(path) else None


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


def _read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Step]]:
    """What the search of a file depends on, and its steps; checked like any file from outside."""
    from fangs.io.archive import read_archive
    from fangs.io.guard import naming

    record, arrays = read_archive(path, kind="checkpoint")
    with naming(Path(path), "checkpoint"):
        identity = record["identity"]
        as_count(identity["seed"], name="seed", minimum=0)
        steps = {name: _restored(name, step, arrays) for name, step in record["steps"]}
    return identity, steps


def _restored(name: Any, step: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> Step:
    matrices = []
    for i, (n_items, n_features) in enumerate(step["shapes"]):
        packed = arrays[f"{name} {i}"]
        if packed.shape != (-(-n_items * n_features // 8),):
            raise ValueError(f"the allocation of step {name!r} has another size than it claims")
        bits = np.unpackbits(packed, count=n_items * n_features)
        matrices.append(bits.reshape(n_items, n_features))
    record = dict(step["record"])
    if not all(IS_RIGHT[key](value) for key, value in record.items()):
        raise ValueError(f"the record of step {name!r} is damaged")
    n_matrices = {
        ("starts",): len(record.get("starts", ())),
        ("done", "places"): len(record.get("places", ())),
        ("initial", "n_flips"): 1,
        ("at", "key", "n_flips"): 2,
        ("key",): 1,
    }
    if n_matrices.get(tuple(sorted(record.keys() - {"rng"}))) != len(matrices):
        raise ValueError(f"step {name!r} lacks a part of its record")
    return Step(record, matrices)


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) < 2**62


def _is_generator(state: Any) -> bool:
    np.random.default_rng().bit_generator.state = state  # NumPy refuses any other
    return True


IS_RIGHT: dict[str, Callable[[Any], bool]] = {
    "rng": _is_generator,
    "starts": lambda starts: all(
        isinstance(method, str) and (draw is None or _is_whole(draw)) and _is_whole(score)
        for method, draw, score in starts
    ),
    "places": lambda places: all(
        _is_generator(place["rng"]) and _is_whole(place["n_flips"]) for place in places
    ),
    "key": lambda key: len(key) == 2 and all(map(_is_whole, key)),
    "initial": _is_whole,
    "n_flips": _is_whole,
    "at": lambda at: _is_whole(at) and at >= 0,
    "done": lambda done: _is_whole(done) and done >= 0,
}
"""What the values in the record of a step must be."""
