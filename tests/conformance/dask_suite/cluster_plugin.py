"""Dask's tests on a cluster of two processes, to which every computation goes."""

from __future__ import annotations

import os
from typing import Any

import pytest

# They start clusters of their own, before which they end all processes of this one.
OWN_CLUSTERS = ("test_distributed.py", "test_diagnostics.py", "test_ensure_plan_computed")


def forget_all(dask_scheduler: Any) -> None:
    """Has the scheduler forget what no client waits for."""
    dask_scheduler.transitions(dict.fromkeys(dask_scheduler.tasks, "forgotten"), "between tests")


class OnCluster:
    """One cluster for all tests; another one after a test that left tasks behind."""

    def __init__(self) -> None:
        self._started: list[Any] = []

    def start(self) -> None:
        """Starts the workers, and has each of Dask's schedulers send to them.

        Dask's comparisons ask for the scheduler "sync", whatever client there is. The scheduler has
        a process of its own: in this one, as with LocalCluster, it waits for ever with Python 3.11,
        as expressions that compute their divisions hold a lock that it needs for others.
        """
        from dask import base, config
        from distributed import Client, SubprocessCluster

        # Its scheduler writes warnings to a pipe that nobody reads, and waits for ever once that is
        # full: it has one for each name that several tests give their data.
        os.environ["DASK_LOGGING__DISTRIBUTED"] = "critical"
        cluster = SubprocessCluster(
            n_workers=2,
            threads_per_worker=1,
            worker_class="distributed.Worker",
            worker_kwargs={"dashboard": False},
            dashboard_address=None,
            silence_logs=50,
        )
        client = Client(cluster)
        self._started = [client, cluster]

        def get(*args: Any, **options: Any) -> Any:
            # The tests refuse to pickle expressions as they look at a graph, for the divisions of
            # which some compute: here an expression is pickled to be computed.
            with config.set({"dask-expr-no-serialize": False}):
                return client.get(*args, **options)

        for name in (*base.named_schedulers, "dask.distributed"):
            base.named_schedulers[name] = get

    def stop(self) -> None:
        """Ends the workers, what they compute too."""
        while self._started:
            each = self._started.pop(0)
            try:
                each.close(timeout=10)
            except TimeoutError:  # a worker waits for ever
                for part in (each.scheduler, *each.workers.values()):
                    part.process.kill()

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.start()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.stop()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [each for each in items if not any(map(each.nodeid.count, OWN_CLUSTERS))]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        # Many name their data "A": the scheduler keeps tasks of a graph that no result needed, and
        # those of the case before would be computed again.
        client, _ = self._started
        client.run_on_scheduler(forget_all)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and "Timeout" in str(report.longrepr):
            self.stop()
            self.start()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(OnCluster())
