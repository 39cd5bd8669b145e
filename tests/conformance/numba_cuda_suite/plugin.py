"""The pytest plugin of numba-cuda's tests: their names, and the runner's recorder."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from recorder import start_recording

from .names import TESTS, fill_in


class SuiteModule(pytest.Module):
    """A test module under the name that it has in its own project."""

    def _getobj(self) -> Any:
        return importlib.import_module(f"{TESTS}.{self.path.parent.name}.{self.path.stem}")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> SuiteModule:
    return SuiteModule.from_parent(parent, path=module_path)


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir:
    """A plain folder, for its __init__ loads the whole suite."""
    return pytest.Dir.from_parent(parent, path=path)


@pytest.fixture(scope="class")
def initialize_from_pytest_config(request: pytest.FixtureRequest) -> None:
    """The suite's test cases ask for it."""


def pytest_configure(config: pytest.Config) -> None:
    fill_in()
    start_recording(config)
