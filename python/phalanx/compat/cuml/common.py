"""What programs take from inside of cuML: its base class, handles and kinds of results."""

from __future__ import annotations

from ..._models.base import Estimator as Base
from .output import set_global_output_type, using_output_type

__all__ = ("Base", "Handle", "set_global_output_type", "using_output_type")


class Handle:
    """A handle of cuML's: work runs on the streams of Phalanx, so that it has no effect."""

    def __init__(self, stream: object = None, n_streams: int = 0) -> None:
        self.stream = stream
        self.n_streams = n_streams

    def sync(self) -> None:
        """Do nothing: results of models are there when a method returns."""
