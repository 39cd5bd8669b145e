"""Names that mean something only inside a kernel: the compiler knows them by their dotted name."""

from __future__ import annotations

from typing import Any, NoReturn


class Intrinsic:
    """A function or value of kernel code, such as ``cuda.grid``.

    The front end looks at `name`; called from the host it raises a `RuntimeError` that says so.
    It pickles by its name: below `phalanx.cuda`, or the last part of it in the module `home`.
    """

    def __init__(self, name: str, doc: str, home: str = "") -> None:
        self.name = name
        self.__module__ = home or "phalanx.cuda"
        self.__name__ = name.rpartition(".")[2]
        self.__doc__ = doc
        self._path = self.__name__ if home else name.partition(".")[2]

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(f"{self.name} can be used only inside a kernel or a device function")

    def __repr__(self) -> str:
        return f"<phalanx intrinsic {self.name}>"

    def __reduce__(self) -> str:
        return self._path


class Namespace:
    """A group of intrinsics, such as ``cuda.shared``; also a value where `name` is one."""

    def __init__(self, name: str, doc: str, members: dict[str, Intrinsic | Namespace]) -> None:
        self.name = name
        self.__module__ = "phalanx.cuda"
        self.__name__ = name.rpartition(".")[2]
        self.__doc__ = doc
        self.__dict__.update(members)

    def __repr__(self) -> str:
        return f"<phalanx namespace {self.name}>"

    def __reduce__(self) -> str:
        return self.name.partition(".")[2]


def build(prefix: str, table: dict[str, str]) -> dict[str, Intrinsic | Namespace]:
    """Makes the objects of a table: dotted name below `prefix` -> doc line.

    A name with dots puts its last part into the namespace named before it, which must have a row
    of its own.
    """
    parents = {row.rpartition(".")[0] for row in table} - {""}
    made: dict[str, Intrinsic | Namespace] = {}
    for row, doc in table.items():
        name = f"{prefix}.{row}"
        item = Namespace(name, doc, {}) if row in parents else Intrinsic(name, doc)
        parent, _, leaf = row.rpartition(".")
        if parent:
            owner = made[parent.partition(".")[0]]
            for part in parent.split(".")[1:]:
                owner = getattr(owner, part)
            setattr(owner, leaf, item)
        else:
            made[row] = item
    return made
