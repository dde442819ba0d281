"""What leads out of an HDF5 file: fangs opens no file but those that it is given."""

from __future__ import annotations

from typing import Any

from fangs._extras import require

__all__ = ["is_inside", "refuse_links"]


def refuse_links(group: Any, depth: int = 0) -> None:
    """Refuse links and datasets that lead to other files, in the group and those below it."""
    h5py = require("h5py", extra="files")
    if depth > 50:
        raise ValueError("its groups are nested more than 50 levels deep")
    for name in group:
        link = group.get(name, getlink=True)
        if isinstance(link, h5py.ExternalLink):
            raise ValueError(f"{name!r} is a link to another file, which fangs does not follow")
        if not isinstance(link, h5py.HardLink):
            continue
        entry = group[name]
        if isinstance(entry, h5py.Group):
            refuse_links(entry, depth + 1)
        elif isinstance(entry, h5py.Dataset) and not is_inside(entry):
            raise ValueError(f"{name!r} lies in another file, which fangs does not open")


def is_inside(data: Any) -> bool:
    """Whether the values of a dataset lie in its own file."""
    return data.external is None and not data.is_virtual
