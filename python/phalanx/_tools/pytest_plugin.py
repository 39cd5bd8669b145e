"""The plug-in that pytest finds where Phalanx is installed: devices for tests, and check mode.

A test with the argument `phalanx_device` runs once on each device that ``--phalanx-devices`` names,
which is current while it runs. ``--phalanx-check`` runs all kernels in check mode. See
docs/guide/testing.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("phalanx", "kernels of Phalanx")
    group.addoption(
        "--phalanx-devices",
        metavar="DEVICES",
        help="what phalanx_device is: cpu, cuda, cuda:1, with commas between, or all "
        "(default: the CPU device, and the first GPU where there is one)",
    )
    group.addoption(
        "--phalanx-check",
        metavar="CATEGORIES",
        nargs="?",
        const="1",
        help="run kernels in check mode: they look for indices out of bounds and the like; "
        "CATEGORIES are those of PHALANX_CHECK (bounds,races,...)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Switches check mode on before a kernel is decorated, in a conftest.py too."""
    categories = getattr(early_config.known_args_namespace, "phalanx_check", None)
    if categories is not None:
        from .._core import check

        os.environ["PHALANX_CHECK"] = categories
        try:
            check.read(None)
        except ValueError as error:
            raise pytest.UsageError(f"--phalanx-check: {error}{_hint(categories)}") from None


def _hint(categories: str) -> str:
    """What is said of a path that was taken for the option's value."""
    if not Path(categories.split("::")[0]).exists():
        return ""
    return (
        f". If {categories!r} is what to test, put --phalanx-check behind it, "
        "or write --phalanx-check=1"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuses devices that are not there before anything is collected."""
    if config.getoption("--phalanx-devices") is not None:
        _devices(config.getoption("--phalanx-devices"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test with `phalanx_device` on each device."""
    if "phalanx_device" in metafunc.fixturenames:
        names = _devices(metafunc.config.getoption("--phalanx-devices"))
        metafunc.parametrize("phalanx_device", names, indirect=True, scope="function")


@pytest.fixture
def phalanx_device(request: pytest.FixtureRequest) -> Iterator[str]:
    """A device by name, such as "cpu" or "cuda:0"; it is the current one while the test runs."""
    from .. import _engine
    from .._device.names import name_of

    before = _engine.current_device()
    (chosen,) = (each for each in _engine.devices() if name_of(each) == request.param)
    _engine.set_current_device(chosen)
    yield request.param
    _engine.set_current_device(before)


def _devices(given: str | None) -> list[str]:
    """The names of the devices that an option asks for. Raises `UsageError` for one not there."""
    from .. import _engine
    from .._device.names import name_of

    there = [name_of(each) for each in _engine.devices()]
    if given == "all":
        return there
    if given is None:
        return [name for name in ("cpu", "cuda:0") if name in there]
    names = [name.strip() for name in given.split(",") if name.strip()]
    names = list(dict.fromkeys("cuda:0" if name == "cuda" else name for name in names))
    if not names:  # tests would be left out, and nothing would say so
        raise pytest.UsageError(
            f"--phalanx-devices: name a device, or all; here are {', '.join(there)}"
        )
    for name in names:
        if name not in there:
            raise pytest.UsageError(
                f"--phalanx-devices: there is no device {name!r} here, but {', '.join(there)}"
            )
    return names
