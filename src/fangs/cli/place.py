"""Where passes over the draws are made: here, here from disk, or on a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import click

from fangs._extras import require
from fangs.check.arguments import as_count
from fangs.cli.signals import interrupts_ignored
from fangs.distributed import ShardedSamples, shard

__all__ = ["PLACE_OPTIONS", "Bytes", "Place"]

CONNECT_SECONDS = 30


@dataclass(frozen=True)
class Place:
    """What a command was told about where to work; by default in this process, all draws held."""

    n_threads: int | None = None
    scheduler: str | None = None
    n_workers: int | None = None
    memory_limit: int | None = None

    def __post_init__(self) -> None:
        given = {
            "--scheduler": self.scheduler,
            "--workers": self.n_workers,
            "--memory-limit": self.memory_limit,
        }
        names = [name for name, value in given.items() if value is not None]
        if len(names) > 1:
            raise click.UsageError(f"{names[1]} says another place to work: drop {names[0]}")

    @property
    def is_sharded(self) -> bool:
        """Whether draws are read in shards."""
        return any(x is not None for x in (self.scheduler, self.n_workers, self.memory_limit))

    @contextmanager
    def open(self, source: Any, **settings: Any) -> Iterator[ShardedSamples]:
        """The draws of a source in shards, until the command ends."""
        with ExitStack() as stack:
            if self.memory_limit is not None:
                settings |= {"memory_limit": self.memory_limit}
            else:
                settings |= {"client": self._connect(stack)}
            yield stack.enter_context(shard(source, n_threads=self.n_threads, **settings))

    def _connect(self, stack: ExitStack) -> Any:
        distributed = require("distributed", extra="dask")
        address = self.scheduler
        if self.n_workers is not None:
            n_workers = as_count(self.n_workers, name="--workers")
            with interrupts_ignored():  # Ctrl-C is for this process: workers inherit this
                local = distributed.LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    dashboard_address=":0",
                    silence_logs="ERROR",  # workers that end slowly are no matter of the user
                )
            address = stack.enter_context(local).scheduler_address
        try:
            distributed.comm.get_address_host(address)  # before a client waits for it
            client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise click.ClickException(
                f"--scheduler {address}: no scheduler answers there; give an address such as "
                "tcp://10.0.0.1:8786"
            ) from error
        return stack.enter_context(client)


class Bytes(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 only
    """A number of bytes: 500MB, 4GB, 2GiB or 1000000."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read a number with a unit."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", value.lower())
        if found is None or float(found[1]) == 0:
            self.fail(f"{value!r} is not a size such as 500MB or 4GB", param, ctx)
        step = 1024 if found[3] else 1000
        return int(float(found[1]) * step ** " kmgt".index(found[2] or " "))


PLACE_OPTIONS = (
    click.option("--threads", "n_threads", type=int, help="Threads to use.  [default: all cores]"),
    click.option(
        "--scheduler", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler."
    ),
    click.option("--workers", "n_workers", type=int, help="Work on this many worker processes."),
    click.option(
        "--memory-limit",
        type=Bytes(),
        help="Hold no more than this of the draws, such as 4GB; read the rest from disk as needed.",
    ),
)
