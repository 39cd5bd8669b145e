"""Callbacks of linked code: told when a module with it is loaded on a GPU, and before it goes."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .._device.devices import before_reset

if TYPE_CHECKING:
    from .dispatcher import Dispatcher
    from .link import LinkableCode


class _Use:
    """One loaded module, from its setup to its teardown."""

    def __init__(
        self, owner: Dispatcher[..., Any], codes: Sequence[LinkableCode], module: Any
    ) -> None:
        self.owner = weakref.ref(owner)
        self._module = module
        self._lock = threading.Lock()
        self._teardowns = [code.teardown_callback for code in codes if code.teardown_callback]
        for code in codes:
            if code.setup_callback is not None:
                code.setup_callback(module)

    def close(self) -> None:
        """Calls the teardown callbacks, the first time."""
        with self._lock:
            teardowns, self._teardowns = self._teardowns, []
        for teardown in teardowns:
            teardown(self._module)


class _Uses:
    """The modules that are loaded; they end with the interpreter if not before."""

    def __init__(self) -> None:
        self._uses: weakref.WeakSet[_Use] = weakref.WeakSet()
        self._lock = threading.Lock()

    def add(self, use: _Use) -> None:
        with self._lock:
            self._uses.add(use)

    def all(self) -> list[_Use]:
        with self._lock:
            return list(self._uses)


_loaded = _Uses()


@atexit.register
def _close_all() -> None:
    for use in _loaded.all():
        use.close()


def module_loaded(
    owner: Dispatcher[..., Any], codes: Sequence[LinkableCode], module: Any
) -> Callable[[], None] | None:
    """Runs the setup callbacks of `codes`; gives back what to call before the module goes."""
    if not any(code.setup_callback or code.teardown_callback for code in codes):
        return None
    use = _Use(owner, codes, module)
    _loaded.add(use)
    return use.close


def forget_modules() -> None:
    """Unloads all modules with callbacks: their kernels are compiled again when launched again."""
    for use in _loaded.all():
        owner = use.owner()
        if owner is not None:
            owner.forget()


before_reset.append(forget_modules)
