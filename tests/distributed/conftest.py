"""A real Dask cluster with real worker processes, shared by the tests of a module."""

import pytest

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dask")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            local_directory=str(folder),
            silence_logs="ERROR",
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def nothing_is_brought_here(monkeypatch):
    """Selections of a few draws stay with their shards, where tests do not ask otherwise."""
    monkeypatch.setattr("fangs.distributed.sharded_engine.BROUGHT_BYTES", -1)
