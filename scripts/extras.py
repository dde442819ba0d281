"""Uses each thing that an extra of fangs brings: ``nox -s extras``.

``python extras.py missing EXTRA`` wants every use to be refused with the command that installs the
extra; ``python extras.py there EXTRA`` wants every use to work.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import fangs

DRAWS = fangs.datasets.example()
ESTIMATE = fangs.estimate(DRAWS, seed=1)
SCRIPTS = Path(sys.executable).parent


def command(*words: str) -> None:
    """Run the command fangs; a message on stderr becomes an ImportError, as in Python."""
    done = subprocess.run([SCRIPTS / "fangs", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        assert done.returncode == 2, done
        assert len(done.stderr.splitlines()) == 1, done.stderr
        raise ImportError(done.stderr.strip())


def saved(name: str) -> Callable[[], object]:
    """Write the draws to a file of that kind and read them back."""

    def use() -> None:
        DRAWS.save(name)
        assert fangs.read(name) == DRAWS

    return use


def on_a_cluster() -> None:
    """Estimate on a Dask cluster of one worker: the same as here."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        fangs.distributed.shard(DRAWS, client=object())  # as one who has no Dask might try
    with (
        Client(processes=False, n_workers=1, dashboard_address=None) as client,
        fangs.distributed.shard(DRAWS, client=client) as shards,
    ):
        assert (fangs.estimate(shards, seed=1).matrix == ESTIMATE.matrix).all()


USES: dict[str, dict[str, Callable[[], object]]] = {
    "cli": {
        "fangs --version": lambda: command("--version"),
        "fangs demo": lambda: command("demo", "demo"),
        "progress": lambda: fangs.estimate(DRAWS, seed=1, progress=True),
    },
    "dask": {"a cluster": on_a_cluster},
    "files": {name: saved(name) for name in ("d.nc", "d.zarr", "d.h5", "d.parquet")},
    "plot": {
        "estimate": lambda: ESTIMATE.plot(),
        "similarity": lambda: fangs.plot.similarity(DRAWS),
        "map": lambda: fangs.plot.map(DRAWS),
    },
    "all": {
        "to_frame": lambda: ESTIMATE.to_frame(),
        "to_xarray": lambda: ESTIMATE.to_xarray(),
        "table": lambda: fangs.summary(ESTIMATE, DRAWS).to_frame(),
    },
}

TOGETHER: dict[str, Callable[[], object]] = {
    "fangs convert": lambda: command("convert", "demo/draws.npz", "demo/draws.parquet"),
    "fangs estimate --workers": lambda: command("estimate", "demo/draws.npz", "--workers", "1"),
}
"""What needs the command and another extra."""


def main(state: str, extra: str) -> None:
    """Check the uses of one extra; "all" has those of all extras once it is installed."""
    uses = USES[extra]
    if extra == "all" and state == "there":
        uses = {name: use for each in USES.values() for name, use in each.items()} | TOGETHER
    for name, use in uses.items():
        try:
            use()
        except ImportError as error:
            if state == "there" or f"pip install 'fangs[{extra}]'" not in str(error):
                raise
            print(f"{name}: {error}")
        else:
            assert state == "there", f"{name} works without fangs[{extra}]"
            print(f"{name}: works")


if __name__ == "__main__":
    main(*sys.argv[1:])
