"""Answers to `numba.cuda.tests.support`: what the suite's tests use of it, written anew."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import importlib.machinery
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import precise

IS_NUMPY_2 = int(np.__version__.split(".")[0]) >= 2

linux_only = unittest.skipUnless(sys.platform.startswith("linux"), "needs Linux")
windows_only = unittest.skipUnless(sys.platform == "win32", "needs Windows")
_has_cffi = importlib.machinery.PathFinder.find_spec("cffi") is not None  # not a placeholder
skip_unless_cffi = unittest.skipUnless(_has_cffi, "needs cffi")


class TestCase(unittest.TestCase):
    """`unittest.TestCase` with the suite's further assertions."""

    longMessage = True

    @functools.cached_property
    def random(self) -> np.random.RandomState:
        """The same numbers in every test."""
        return np.random.RandomState(42)

    def assertPreciseEqual(
        self,
        first: Any,
        second: Any,
        prec: str = "exact",
        ulps: int = 1,
        msg: str | None = None,
        ignore_sign_on_zero: bool = False,
        abs_tol: float | str | None = None,
    ) -> None:
        """Equal in type, shape and value; floats within the given precision."""
        if abs_tol == "eps":
            dtype = getattr(first, "dtype", np.dtype(type(first)))
            abs_tol = float(np.finfo(dtype).eps)
        problem = precise.difference(
            first,
            second,
            prec=prec,
            ulps=ulps,
            ignore_sign_on_zero=ignore_sign_on_zero,
            abs_tol=abs_tol,
        )
        if problem:
            self.fail(self._formatMessage(msg, problem))

    def assertStridesEqual(self, first: Any, second: Any) -> None:
        """Equal strides, of extents over 1."""

        def real(array: Any) -> list[int]:
            pairs = zip(array.strides, array.shape, strict=True)
            return [stride for stride, extent in pairs if extent > 1]

        self.assertEqual(real(first), real(second))

    @contextlib.contextmanager
    def assertTypingError(self) -> Iterator[Any]:
        """Whatever a compiler says of code that it cannot type."""
        from numba.cuda.core import errors

        expected = (errors.TypingError, errors.LoweringError, TypeError, NotImplementedError)
        with self.assertRaises(expected) as caught:
            yield caught

    @contextlib.contextmanager
    def assertRefCount(self, *objects: Any) -> Iterator[None]:
        """No reference is kept or lost."""
        before = [sys.getrefcount(each) for each in objects]
        yield
        gc.collect()
        self.assertEqual(before, [sys.getrefcount(each) for each in objects])

    def assertRefCountEqual(self, *objects: Any) -> None:
        """All have as many references."""
        gc.collect()
        self.assertEqual(1, len({sys.getrefcount(each) for each in objects}))

    def reset_module_warnings(self, module: Any) -> None:
        """Lets warnings that were shown once be shown again."""
        if isinstance(module, str):
            module = sys.modules[module]
        vars(module).pop("__warningregistry__", None)

    def subprocess_test_runner(
        self,
        test_module: str,
        test_class: str | None = None,
        test_name: str | None = None,
        envvars: dict[str, str] | None = None,
        timeout: float = 60,
        **_: Any,
    ) -> None:
        """Runs one test in a process of its own."""
        name = ".".join(filter(None, (test_module, test_class, test_name)))
        command = [sys.executable, "-m", "unittest", name]
        environment = os.environ | (envvars or {})
        environment.pop("PYTEST_CURRENT_TEST", None)
        result = subprocess.run(
            command, env=environment, timeout=timeout, capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    @staticmethod
    def run_test_in_subprocess(
        maybefunc: Any = None, timeout: float = 60, envvars: dict[str, str] | None = None
    ) -> Any:
        """A decorator: the test runs in a process of its own."""
        inside = "PHALANX_CONFORMANCE_INNER"

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def test(self: TestCase, *args: Any, **options: Any) -> None:
                if os.environ.get(inside):
                    function(self, *args, **options)
                    return
                cls = type(self)
                self.subprocess_test_runner(
                    cls.__module__,
                    cls.__name__,
                    function.__name__,
                    envvars={inside: "1", **(envvars or {})},
                    timeout=timeout,
                )

            return test

        return decorate(maybefunc) if callable(maybefunc) else decorate


class EnableNRTStatsMixin:
    """Nothing: kernels here have no allocator to watch."""


class MemoryLeakMixin(EnableNRTStatsMixin):
    """Nothing: kernels here have no allocator to watch."""


class CheckWarningsMixin:
    """Checks which warnings came."""

    @contextlib.contextmanager
    def check_warnings(
        self, messages: Sequence[str], category: type[Warning] = RuntimeWarning
    ) -> Iterator[None]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        texts = [str(each.message) for each in caught if issubclass(each.category, category)]
        self.assertEqual(sorted(texts), sorted(messages))  # type: ignore[attr-defined]


@contextlib.contextmanager
def override_config(name: str, value: Any) -> Iterator[None]:
    """Another value of a setting for a while."""
    from numba.cuda.core import config

    missing = object()
    before = getattr(config, name, missing)
    setattr(config, name, value)
    try:
        yield
    finally:
        if before is missing:
            delattr(config, name)
        else:
            setattr(config, name, before)


@contextlib.contextmanager
def override_env_config(name: str, value: str) -> Iterator[None]:
    """Another value of an environment variable for a while."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def captured_stdout() -> Any:
    """Collects what is printed."""
    return contextlib.redirect_stdout(io.StringIO())


def captured_stderr() -> Any:
    """Collects what goes to the error stream."""
    return contextlib.redirect_stderr(io.StringIO())


def run_in_subprocess(
    code: str, flags: Sequence[str] = (), env: dict[str, str] | None = None, timeout: float = 30
) -> tuple[str, str]:
    """What a process that runs the code prints on its two streams."""
    result = subprocess.run(
        [sys.executable, *flags, "-c", code],
        env=env,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    if result.returncode != 0:
        raise AssertionError(f"exit status {result.returncode}:\n{result.stderr}")
    return result.stdout, result.stderr


def temp_directory(prefix: str) -> str:
    """A new empty folder, removed when the process ends."""
    import atexit

    folder = tempfile.mkdtemp(prefix=prefix)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def import_dynamic(name: str) -> Any:
    """Imports a module that was written just now."""
    importlib.invalidate_caches()
    return importlib.import_module(name)


def ignore_internal_warnings() -> None:
    """There are none to ignore."""
