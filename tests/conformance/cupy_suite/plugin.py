"""The pytest plugin of CuPy's tests: names, the runner's recorder, the sample of --quick."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from pathlib import Path

QUICK = bool(os.environ.get("PHALANX_CONFORMANCE_QUICK"))
if QUICK:  # CuPy's loops over dtypes read it when they are imported
    os.environ.update(CUPY_TEST_RANDOM_SUBSAMPLE="1", _CUPY_TEST_SUBSAMPLE_SEED="1")

import pytest  # noqa: E402
from recorder import start_recording  # noqa: E402

from . import names  # noqa: E402

names.install()
# Tests that start a Python of their own import `cupy` there.
SITE = str(Path(__file__).parent / "site")
os.environ["PYTHONPATH"] = os.pathsep.join([SITE, os.environ.get("PYTHONPATH", "")])
pytest_plugins = ["pytester"]
EACH = 15  # of that many cases of a test one is in the sample, at least one of each test


def pytest_configure(config: pytest.Config) -> None:
    import cupy.random as shared

    states = __import__("sys").modules["cupy.random._generator"]
    reset = shared.reset_states

    def reset_states() -> None:
        states._random_states = {}  # as its helpers expect: another object
        reset()

    shared.reset_states = reset_states
    start_recording(config)


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Tests of distributions end as they did before."""
    import cupy.random
    import numpy as np

    np.random.seed(1)  # noqa: NPY002  (the tests draw from it)
    cupy.random.seed(1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not QUICK:
        return
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        name = getattr(item, "originalname", item.name)
        cases[f"{item.parent and item.parent.nodeid}::{name}"].append(item)
    chosen = random.Random(1)
    items[:] = [
        item for each in cases.values() for item in chosen.sample(each, 1 + len(each) // EACH)
    ]
