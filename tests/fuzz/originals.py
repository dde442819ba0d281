"""Sound files of every kind that fangs reads, small, to be damaged."""

from __future__ import annotations

import itertools
import shutil
import warnings
from pathlib import Path

import numpy as np

import fangs
from fangs.formats import registry

__all__ = ["SAMPLES", "write_originals"]

SAMPLES = fangs.Samples(
    [np.random.default_rng(b).integers(2, size=(6, 1 + b % 4)) for b in range(12)],
    items=[f"item {i}" for i in range(6)],
    chains=[0] * 6 + [1] * 6,
    weights=[1 + b % 3 for b in range(12)],
)
DRAWS = list(SAMPLES)
STACK = np.stack([np.pad(draw, ((0, 0), (0, 4 - draw.shape[1]))) for draw in DRAWS])
R_FILES = Path(__file__).parents[1] / "data" / "r"

CMDSTAN = """# method = sample (Default)
#   sample
#     num_warmup = 2
#     save_warmup = 0 (Default)
lp__,Z.1.1,Z.2.1,Z.1.2,Z.2.2
# Adaptation terminated
-1.5,0,1,0,1
-2.5,1,1,0,0
-2.5,1,0,0,0
#  Elapsed Time: 0.005 seconds
"""


def write_originals(folder: Path) -> None:
    """Write a file of every kind and form."""
    for suffix in itertools.chain(*registry.FORMATS):
        if registry.format_of(Path(f"own{suffix}")).write_samples is not None:
            SAMPLES.save(folder / f"own{suffix}")
    for suffix in (".npz", ".json", ".csv"):
        fangs.estimate(SAMPLES, seed=1).save(folder / f"estimate{suffix}")
    _arrays(folder)
    _tables(folder)
    _labelled(folder)
    _matlab(folder)
    for path in R_FILES.iterdir():
        if path.suffix != ".R":
            shutil.copyfile(path, folder / f"r.{path.name}")


def _arrays(folder: Path) -> None:
    np.save(folder / "stack.npy", STACK)
    np.save(folder / "fortran.npy", np.asfortranarray(STACK.astype(float)))
    np.savez(folder / "members.npz", *DRAWS, chains=SAMPLES.chains, items=SAMPLES.items)
    np.savez_compressed(folder / "stack.npz", Z=STACK, weights=SAMPLES.weights)


def _tables(folder: Path) -> None:
    import pandas

    (folder / "cmdstan.csv").write_text(CMDSTAN)
    (folder / "wide.tsv").write_text("chain\tZ[1,1]\tZ[2,1]\n1\t0\t1\n1\t1\t1\n2\t1\t1\n")
    wide = {f"Z[{i + 1},{k + 1}]": STACK[:, i, k] for i in range(6) for k in range(4)}
    pandas.DataFrame(wide).to_parquet(folder / "wide.parquet")


def _labelled(folder: Path) -> None:
    import h5py
    import xarray

    dims = ("chain", "draw", "item", "feature")
    z = xarray.DataArray(STACK.reshape(2, 6, 6, 4), dims=dims, coords={"item": list(SAMPLES.items)})
    dataset = z.to_dataset(name="Z")
    dataset.to_netcdf(folder / "group.nc", group="posterior", engine="h5netcdf")
    dataset.astype("i2").to_netcdf(folder / "classic.nc", engine="scipy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # text has no place in the standard of version 3 yet
        dataset.to_zarr(folder / "three.zarr", zarr_format=3, consolidated=False)
    with h5py.File(folder / "stack.h5", "w") as file:
        file.create_dataset("Z", data=STACK, chunks=(3, 6, 4), compression="gzip", shuffle=True)
        file["items"] = list(SAMPLES.items)
    with h5py.File(folder / "group.h5", "w") as file:
        for b, draw in enumerate(DRAWS):
            file[f"draws/{b}"] = draw


def _matlab(folder: Path) -> None:
    from scipy.io import savemat
    from scipy.sparse import csc_matrix

    cell, sparse = np.empty((2, 12, 1), dtype=object)
    for b, draw in enumerate(DRAWS):
        cell[b, 0], sparse[b, 0] = draw.astype(float), csc_matrix(draw)
    widths = np.array([[draw.shape[1]] for draw in DRAWS])
    chain = {"Z": STACK, "K": widths, "note": "of a chain"}
    records = np.empty((1, 12), dtype=[("Z", object), ("score", object)])
    for b, draw in enumerate(DRAWS):
        records[0, b] = (draw.astype(bool), -float(b))
    savemat(folder / "cell.mat", {"Z": cell})
    savemat(folder / "packed.mat", {"Z": cell, "X": np.eye(3) / 3}, do_compression=True)
    savemat(folder / "struct.mat", {"chain": chain})
    savemat(folder / "records.mat", {"tree": records})
    savemat(folder / "sparse.mat", {"Z": sparse})
    savemat(folder / "four.mat", {"K": widths, "word": "text", "X": np.eye(3)}, format="4")
