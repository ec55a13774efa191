"""A cluster of dask, for what takes any executor."""

import concurrent.futures
import contextlib
from collections.abc import Iterator

import pytest


@contextlib.contextmanager
def dask_executor() -> Iterator[concurrent.futures.Executor]:
    """Two processes of a cluster; skips the test where dask is not installed."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()
