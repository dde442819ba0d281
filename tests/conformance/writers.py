"""Every file that the libraries people use write, by the kind of what they are given."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import scipy.io
import xarray as xr

Save = Callable[[Any, Path], Any]


def write(kind: str, writer: str, given: Any, folder: Path) -> Any:
    """What `fangs.read` is given; parts are numbered from 8, so that 10 comes after 9."""
    save = WRITERS[kind][writer]
    suffix = next(word for word in writer.split() if word.startswith("."))
    if not writer.startswith(("list of", "folder of")):
        save(given, folder / f"d{suffix}")
        return folder / f"d{suffix}"
    (inside := folder / "draws").mkdir()
    paths = [inside / f"draw{i + 8}{suffix}" for i in range(len(given))]
    for part, path in zip(given, paths, strict=True):
        save(part, path)
    return paths if writer.startswith("list") else inside


def method(name: str, **options: Any) -> Save:
    return lambda given, path: getattr(given, name)(path, **options)


def to_csv(**options: Any) -> Save:
    return method("to_csv", **{"index": False, **options})


def of_r(frame: pd.DataFrame, path: Path) -> None:
    """As write.csv of R: row names from 1, TRUE and FALSE, NA."""
    cells = frame.map(lambda cell: str(cell).upper() if isinstance(cell, bool) else cell)
    cells.set_axis(range(1, len(cells) + 1)).to_csv(path, na_rep="NA")


def of_excel(frame: pd.DataFrame, path: Path) -> None:
    """As Excel where decimals have a comma."""
    cells = frame.convert_dtypes()
    cells.to_csv(path, sep=";", decimal=",", index=False, encoding="utf-8-sig")


def of_arviz(given: Any, path: Path) -> None:
    """ArviZ before 1.0 knows no Zarr 3, and says to take this way."""
    getattr(given, "to_datatree", lambda: given)().to_zarr(path, zarr_format=2)


def to_npz(arrays: dict[str, Any], path: Path) -> None:
    np.savez(path, **arrays)


def to_h5(arrays: dict[str, Any], path: Path, chunks: bool | None = None) -> None:
    with h5py.File(path, "w") as file:
        for name, value in arrays.items():
            is_text = np.asarray(value).dtype.kind == "U"
            file.create_dataset(name, data=value.tolist() if is_text else value, chunks=chunks)


def as_dataset(given: Any) -> xr.Dataset:
    """Of an array, a dataset or a tree."""
    if isinstance(given, xr.DataArray):
        return given.to_dataset(name="Z")
    return given["posterior"].to_dataset() if isinstance(given, xr.DataTree) else given


def in_chunks(given: Any, path: Path) -> None:
    """Few draws in each chunk, as NetCDF-4."""
    data = as_dataset(given)
    chunks = [min(size, 2) for size in data["Z"].shape]
    data.to_netcdf(path, engine="netcdf4", encoding={"Z": {"chunksizes": chunks}})


def classic(given: Any, path: Path) -> None:
    """NetCDF-3."""
    as_dataset(given).to_netcdf(path, format="NETCDF3_CLASSIC")


def in_a_group(given: Any, path: Path) -> None:
    as_dataset(given).to_netcdf(path, engine="netcdf4", group="posterior")


def to_json(document: Any, path: Path) -> None:
    path.write_text(json.dumps(document, default=lambda array: array.tolist()))


def to_strings(draws: list[Any], path: Path) -> None:
    """A line per draw, a string of 0 and 1 per feature, as sBayes writes them."""
    width = max(draw.shape[1] for draw in draws)
    padded = [np.pad(draw, ((0, 0), (0, width - draw.shape[1]))) for draw in draws]
    lines = ["\t".join("".join(map(str, feature)) for feature in draw.T) for draw in padded]
    path.write_text("\n".join(lines) + "\n")


def for_matlab(value: Any) -> Any:
    """Lists and arrays of text as cells, other vectors as columns."""
    if isinstance(value, dict):
        return {name: for_matlab(entry) for name, entry in value.items()}
    if isinstance(value, list) or (np.ndim(value) and np.asarray(value).dtype.kind == "U"):
        made = np.empty((len(value), 1), dtype=object)
        made[:, 0] = [for_matlab(part) for part in value]
        return made
    return np.reshape(value, (-1, 1)) if np.ndim(value) == 1 else value


def to_mat(variables: dict[str, Any], path: Path) -> None:
    scipy.io.savemat(path, for_matlab(variables))


def to_mat73(variables: dict[str, Any], path: Path) -> None:
    """HDF5 as MATLAB writes it: axes reversed, cells as references, empty arrays by their size."""
    number = count()

    def put(value: Any, group: Any, name: str) -> Any:
        if isinstance(value, dict):
            made, kind = group.create_group(name), "struct"
            for field, entry in value.items():
                put(entry, made, field)
        elif np.asarray(value).dtype == object:
            inner, kind = file.require_group("#refs#"), "cell"
            parts = [put(part, inner, f"r{next(number)}").ref for part in value[:, 0]]
            made = group.create_dataset(name, (1, len(parts)), h5py.ref_dtype)
            made[0] = parts
        else:
            is_text = isinstance(value, str)
            array = np.array([list(map(ord, value))], np.uint16) if is_text else np.asarray(value)
            kind = {"f": "double", "b": "logical"}.get(array.dtype.kind, array.dtype.name)
            kind = "char" if is_text else kind
            data = array.T if array.size else np.array(array.shape, np.uint64)
            made = group.create_dataset(name, data=data)
            if not array.size:
                made.attrs["MATLAB_empty"] = np.uint8(1)
            if is_text:
                made.attrs["MATLAB_int_decode"] = np.int32(2)
        made.attrs["MATLAB_class"] = np.bytes_(kind)
        return made

    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in for_matlab(variables).items():
            put(value, file, name)
    with open(path, "r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")


def as_z(save: Save) -> Save:
    return lambda draws, path: save({"Z": draws}, path)


FRAMES = {".csv": to_csv(), ".parquet": method("to_parquet", index=False)}
MAPPINGS = {".npz": to_npz, ".h5": to_h5}
MATLAB = {".mat 5": to_mat, ".mat 7.3": to_mat73}
CELLS = {name: as_z(save) for name, save in MATLAB.items()}
MATRICES = {".npz": lambda draws, path: np.savez(path, *draws)}

WRITERS: dict[str, dict[str, Save]] = {
    "labelled": {
        ".nc by netCDF4": method("to_netcdf", engine="netcdf4"),
        ".zarr 2": method("to_zarr", zarr_format=2),
        ".nc by h5netcdf": method("to_netcdf", engine="h5netcdf"),
        ".nc in chunks": in_chunks,
        ".nc classic": classic,
        ".nc in a group": in_a_group,
        ".zarr 3": method("to_zarr", zarr_format=3, consolidated=False),
    },
    "arviz": {".nc": lambda given, path: given.to_netcdf(str(path)), ".zarr": of_arviz},
    "pandas": {
        **FRAMES,
        ".csv by R": of_r,
        ".tsv with row numbers": to_csv(sep="\t", index=True),
        ".csv.gz": to_csv(),
        ".feather": method("to_feather"),
    },
    "indexed": {".csv": method("to_csv"), ".parquet": method("to_parquet")},
    "gaps": {f".csv with {gap or 'nothing'}": to_csv(na_rep=gap)
             for gap in ("NA", "NULL", "nan", "NaN", "None", "")},
    "spreadsheet": {".csv": of_excel},
    "R": {".csv": of_r},
    "polars": {
        ".csv": pl.DataFrame.write_csv,
        ".parquet": pl.DataFrame.write_parquet,
        ".feather": pl.DataFrame.write_ipc,
    },
    "pyarrow": {
        ".csv": pyarrow.csv.write_csv,
        ".parquet": pyarrow.parquet.write_table,
        ".feather": pyarrow.feather.write_feather,
    },
    "numpy": {".npy": lambda array, path: np.save(path, array)},
    "mapping": {
        **MAPPINGS,
        ".npz compressed": lambda arrays, path: np.savez_compressed(path, **arrays),
        ".h5 in chunks": partial(to_h5, chunks=True),
        ".json": to_json,
    },
    "arrays": MAPPINGS,
    "matlab": MATLAB,
    "json": {".json": to_json},
    "strings": {".txt": to_strings},
    "matrices": {
        **MATRICES,
        **CELLS,
        ".h5": lambda draws, path: to_h5({f"Z/d_{b + 8}": d for b, d in enumerate(draws)}, path),
    },
    "chains": {
        "list of .npz": MATRICES[".npz"],
        ".json": to_json,
        **CELLS,
        "list of .txt": to_strings,
    },
    "chain arrays": {"list of .npy": lambda array, path: np.save(path, array)},
    "chain labelled": {
        "list of .nc": method("to_netcdf"),
        "list of .zarr": method("to_zarr", zarr_format=2),
    },
    "chain frames": {f"list of {name}": save for name, save in FRAMES.items()},
    "frames": {
        "folder of .csv": FRAMES[".csv"],
        "list of .csv": FRAMES[".csv"],
        "folder of .parquet": FRAMES[".parquet"],
        "list of .tsv": to_csv(sep="\t"),
    },
}  # fmt: skip
"""By kind; the first two of a kind are those that everything of it goes through."""
