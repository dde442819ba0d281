"""Modes as one JSON document, for other programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from fangs.io.json import as_json, plain
from fangs.modes import Modes

__all__ = ["modes_as_json"]


def modes_as_json(found: Modes) -> str:
    """Return one JSON document: the estimates, the mode of each draw, and how it was chosen."""
    document: dict[str, Any] = {
        "n_modes": found.n_modes,
        "a": found.a,
        "seed": found.seed,
        "expected_loss": found.expected_loss,
        "weights": found.weights.tolist(),
        "labels": found.labels.tolist(),
        "doubtful": found.doubtful.tolist(),
        "distances": found.distances.tolist(),
        "by_chain": None if found.by_chain is None else found.by_chain.tolist(),
        "curve": found.curve.tolist(),
        "steps": [asdict(step) for step in found.steps],
        "explanation": found.explanation,
        "estimates": [json.loads(as_json(estimate)) for estimate in found.estimates],
    }
    return json.dumps(document, default=plain, ensure_ascii=False)
