"""What happens when workers die, shards cannot be read, or the scheduler is gone."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import fangs
from fangs.distributed import ClusterError, shard
from support.checks import same

distributed = pytest.importorskip("distributed")


@pytest.fixture
def samples():
    made = fangs.simulate.posterior_like(20, 5, 900, noise=0.25, births=0.5, seed=8)
    return fangs.Samples(made.draws)


def workers(client):
    return set(client.scheduler_info(n_workers=-1)["workers"])


def kill_workers(client, n_workers):
    for address in list(workers(client))[:n_workers]:
        pid = client.run(os.getpid, workers=[address])[address]
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("n_killed", [1, 2])
def test_workers_killed_between_rounds(client, samples, n_killed):
    with shard(samples, n_shards=4, client=client, timeout=120) as sharded:
        before = fangs.assess(samples[0], sharded)
        kill_workers(client, n_killed)
        same(fangs.assess(samples[0], sharded), before)
        same(fangs.estimate(sharded, seed=1), fangs.estimate(samples, seed=1))


@pytest.mark.parametrize("n_killed", [1, 2])
def test_workers_killed_in_flight(client, samples, n_killed):
    with shard(samples, n_shards=4, client=client, timeout=120) as sharded:
        timer = threading.Timer(0.3, kill_workers, (client, n_killed))
        timer.start()
        found = fangs.estimate(sharded, seed=1, n_iter=60)
        timer.join()
        same(found, fangs.estimate(samples, seed=1, n_iter=60))


def test_draws_are_good_again_after_an_error(client, samples, tmp_path):
    """Workers die, and the file that their shards must be read from again is away for a while."""
    samples.save(tmp_path / "draws.npz")
    with shard(tmp_path / "draws.npz", client=client, timeout=120) as sharded:
        before = fangs.assess(samples[0], sharded)
        (tmp_path / "draws.npz").rename(tmp_path / "elsewhere.npz")
        before_death = workers(client)
        kill_workers(client, 2)
        while before_death & workers(client):  # the scheduler has not noticed yet
            time.sleep(0.05)
        with pytest.raises((ValueError, OSError), match=r"draws\.npz"):
            fangs.assess(samples[0], sharded)
        (tmp_path / "elsewhere.npz").rename(tmp_path / "draws.npz")
        same(fangs.assess(samples[0], sharded), before)


def test_a_shard_that_cannot_be_read_is_named(client, samples, tmp_path):
    samples[:400].save(tmp_path / "good.npz")
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"bad\.npz"):
        shard([tmp_path / "good.npz", tmp_path / "bad.npz"], client=client)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.npz", "good.npz"]


def test_shards_must_have_the_same_items(client, tmp_path):
    fangs.Samples([np.eye(3)], items=["a", "b", "c"]).save(tmp_path / "one.npz")
    fangs.Samples([np.eye(3)], items=["a", "b", "d"]).save(tmp_path / "two.npz")
    fangs.Samples([np.eye(4)]).save(tmp_path / "three.npz")
    for other in ("two.npz", "three.npz"):
        with pytest.raises(ValueError, match=other):
            shard([tmp_path / "one.npz", tmp_path / other], client=client)


def test_an_interrupt_keeps_the_estimate_and_leaves_the_cluster_clean(client, samples):
    with shard(samples, n_shards=4, client=client) as sharded:

        def interrupt(progress):
            if progress.phase == "sweeten" and progress.loss < float("inf"):
                raise KeyboardInterrupt

        with pytest.raises(fangs.results.Interrupted) as caught:
            fangs.estimate(sharded, seed=1, n_iter=200, progress=interrupt)
        kept = caught.value.estimate
        assert kept.expected_loss == fangs.expected_loss(kept, samples)
        same(fangs.estimate(sharded, seed=1), fangs.estimate(samples, seed=1))
    deadline = time.monotonic() + 20
    while client.run_on_scheduler(n_tasks) and time.monotonic() < deadline:
        gc.collect()  # exceptions of other tests may hold futures
        time.sleep(0.1)
    assert client.run_on_scheduler(n_tasks) == 0


def n_tasks(dask_scheduler):
    return sum(str(key).startswith("fangs-") for key in dask_scheduler.tasks)


def test_a_scheduler_that_dies_is_an_error_and_no_hang(samples, tmp_path):
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard",
         "--scheduler-file", str(tmp_path / "scheduler.json"), "--host", "127.0.0.1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    worker = None
    try:
        with distributed.Client(
            scheduler_file=str(tmp_path / "scheduler.json"), timeout=60, set_as_default=False
        ) as client:
            worker = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny",
                 "--nworkers", "1", "--nthreads", "1",
                 "--scheduler-file", str(tmp_path / "scheduler.json"),
                 "--no-dashboard", "--local-directory", str(tmp_path)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            client.wait_for_workers(1, timeout=60)
            client.submit(__import__, "fangs.distributed").result(timeout=120)  # slow when busy
            sharded = shard(samples, n_shards=2, client=client, timeout=5)
            scheduler.kill()
            began = time.monotonic()
            with pytest.raises(ClusterError, match=r"scheduler|cluster"):
                fangs.estimate(sharded, seed=1)
            assert time.monotonic() - began < 90
    finally:
        for process in (scheduler, worker):
            if process is not None:
                process.kill()
                process.wait()
