"""The pytest plugin of PyCUDA's tests: the name `pycuda`, and the runner's recorder."""

from __future__ import annotations

import pytest
from recorder import start_recording

from phalanx import _engine, compat

compat.install(beside_installed=False)


# Of 4 to 17 GB each, which the memory of a host has to hold several times.
LARGE = ("test_big_array", "_8gb", "_16gb")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not _engine.current_device().is_host:
        return
    large = [item for item in items if any(each in item.name for each in LARGE)]
    config.hook.pytest_deselected(items=large)
    items[:] = [item for item in items if item not in large]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cuda: needs a device")
    start_recording(config)
