"""The pytest plugin of pandas' tests: names, the runner's recorder, the sample of --quick."""

from __future__ import annotations

import os
import zlib

import pytest
from placeholders import placeholders_in
from recorder import start_recording, test_name

from . import names

names.install()
pytest_plugins = ["pandas.conftest"]
QUICK = bool(os.environ.get("PHALANX_CONFORMANCE_QUICK"))
EACH = int(os.environ.get("PHALANX_CONFORMANCE_EACH", "10"))  # of that many items one is taken


def pytest_configure(config: pytest.Config) -> None:
    start_recording(config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test whose arguments are made of what is not there fails before it does something else."""
    arguments = getattr(item, "callspec", None)
    for each in placeholders_in(arguments.params.values()) if arguments else ():
        raise NotImplementedError(f"phalanx does not provide {each!r}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if QUICK:
        items[:] = [
            item for item in items if zlib.crc32(test_name(item.nodeid).encode()) % EACH == 0
        ]
