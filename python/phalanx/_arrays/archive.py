"""The arrays of an ``.npz`` file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Archive(Mapping[str, Any]):
    """The arrays of an ``.npz`` file by name, each of which is read when it is asked for.

    Close it when no more are to be read, or use it in a `with` statement: arrays that were read
    stay. After that, reading raises `ValueError`.
    """

    def __init__(self, stored: Any, to_array: Callable[[Any], Any]) -> None:
        self._stored = stored
        self._to_array = to_array
        self.files: list[str] = list(stored.files)

    def __getitem__(self, name: str) -> Any:
        if self._stored is None:
            raise ValueError("the .npz file is closed: read its arrays before")
        if name not in self.files:
            raise KeyError(f"{name!r} is not in the file, which has {', '.join(self.files)}")
        return self._to_array(self._stored[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self) -> str:
        return f"<arrays of an .npz file: {', '.join(self.files)}>"

    def close(self) -> None:
        """Closes the file."""
        if self._stored is not None:
            self._stored.close()
            self._stored = None

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
