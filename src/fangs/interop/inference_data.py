"""Results of ArviZ: InferenceData (before 1.0) and xarray's DataTree (since), by variable."""

from __future__ import annotations

from typing import Any

from fangs.interop.given import library

GROUP = "posterior"


def is_group_tree(value: Any) -> bool:
    """Whether something holds groups such as ``posterior``."""
    return library(value) in ("arviz", "arviz_base", "xarray") and (
        hasattr(value, "children") or callable(getattr(value, "groups", None))
    )


def as_dataset(value: Any, name: str) -> Any:
    """The variables of the posterior."""
    if hasattr(value, "children"):
        if GROUP in value.children:
            return value.children[GROUP].to_dataset()
        if value.has_data:
            return value.to_dataset()
        groups = list(value.children)
    else:
        groups = list(value.groups())
        if GROUP in groups:
            return value[GROUP]
    listed = ", ".join(groups) or "none"
    raise ValueError(
        f"{name} has no group {GROUP!r} (its groups: {listed}); give the group that has the "
        f"draws, such as {name}[{groups[0] if groups else GROUP!r}]"
    )
