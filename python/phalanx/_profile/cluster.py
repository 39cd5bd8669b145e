"""Profiles of the workers of a cluster (Dask's `distributed`), taken along with the client's."""

from __future__ import annotations

import contextlib
import uuid
from typing import Any

from .profile import Profile

# Those that this process takes for clients, by their keys.
_taken: dict[str, Profile] = {}


def begin_here(key: str) -> None:
    """On a worker: takes a profile from now on."""
    _taken[key] = Profile()
    _taken[key].start()


def end_here(key: str) -> Profile | None:
    """On a worker: the profile; None where it came after the profile had begun."""
    profile = _taken.pop(key, None)
    if profile is not None:
        profile.stop()
    return profile


class ClusterProfile(Profile):
    """A profile of this process and of all workers that a client has when it begins."""

    def __init__(self, label: str, client: Any) -> None:
        super().__init__(label)
        self._client = client
        self._key = uuid.uuid4().hex

    def start(self) -> None:
        """Records from now on, on the workers, too. Raises `RuntimeError` where it does already."""
        super().start()
        try:
            self._client.run(begin_here, self._key)
        except BaseException:
            super().stop()
            # Some may have begun, and would record for as long as they live.
            with contextlib.suppress(Exception):
                self._client.run(end_here, self._key)
            raise

    def stop(self) -> None:
        """Ends it on all workers and takes what they have recorded; nothing where it has ended."""
        if not self._is_on:
            return
        try:
            super().stop()
        finally:
            answers = self._client.run(end_here, self._key)
        others = [each for each in answers.values() if each is not None]
        merged = self.merge(others)
        self.records, self.lost, self._rates = merged.records, merged.lost, merged._rates

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_client": None}
