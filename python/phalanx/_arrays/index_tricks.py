"""Objects that are indexed to make arrays and indices: `mgrid`, `r_`, `s_` and their like."""

from __future__ import annotations

from typing import Any

from . import coerce, host

_DOCS = {
    "mgrid": "The coordinates of a grid's points, one array for each slice: mgrid[0:5, 0:1:3j].",
    "ogrid": "As `mgrid`, as arrays that broadcast to the grid.",
    "r_": "Slices, numbers and arrays as one array along the first axis: r_[0:3, 7, x].",
    "c_": "As `r_`, with arrays as columns.",
}


class HostIndex:
    """An object of NumPy's of that name, indexed with our arrays too; what it makes is ours."""

    def __init__(self, name: str, doc: str) -> None:
        self._name = name
        self.__doc__ = doc

    def __repr__(self) -> str:
        return f"<phalanx.{self._name}>"

    def __getitem__(self, key: Any) -> Any:
        import numpy as np

        made = getattr(np, self._name)[_key_of_numpys(key)]
        return host.as_ours(made, coerce.common_device([key]))


def _key_of_numpys(key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(map(_key_of_numpys, key))
    if isinstance(key, slice):  # whose parts may be arrays without dimensions
        return slice(*(host.as_host(each) for each in (key.start, key.stop, key.step)))
    return host.as_host(key)


_MADE = {name: HostIndex(name, doc) for name, doc in _DOCS.items()}
_FROM_NUMPY = ("index_exp", "s_")  # which give back their key


def __getattr__(name: str) -> Any:
    if name in _MADE:
        return _MADE[name]
    if name not in _FROM_NUMPY:
        raise AttributeError(name)
    import numpy as np

    return getattr(np, name)
