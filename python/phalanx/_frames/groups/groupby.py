"""The objects that ``groupby`` gives."""

from __future__ import annotations

from typing import Any

from ..building.kinds import is_hashable, is_list_like
from ..indexes.lookups import UnknownColumnError
from ..plotting.grouped import FrameGroupPlotting, GroupPlotting
from .describing import FrameGroupDescribing, SeriesGroupDescribing
from .functions import FrameGroupFunctions, SeriesGroupFunctions
from .picking import GroupPicking
from .reductions import FrameExtremes, SeriesExtremes
from .relations import FrameGroupRelations, SeriesGroupRelations
from .resampling import GroupResampling


class SeriesGroupBy(
    SeriesExtremes,
    GroupPicking,
    SeriesGroupDescribing,
    SeriesGroupRelations,
    SeriesGroupFunctions,
    GroupResampling,
    GroupPlotting,
):
    """Groups of a series' rows: `sum`, `mean` and so on give a value for each group.

    What is left of pandas' methods raise NotImplementedError.
    """

    __module__ = "phalanx"
    ndim = 1


class DataFrameGroupBy(
    FrameExtremes,
    GroupPicking,
    FrameGroupDescribing,
    FrameGroupRelations,
    FrameGroupFunctions,
    GroupResampling,
    FrameGroupPlotting,
):
    """Groups of a frame's rows: `sum`, `mean` and so on give a row for each group.

    What is left of pandas' methods raise NotImplementedError.
    """

    __module__ = "phalanx"
    ndim = 2

    def __getitem__(self, key: Any) -> Any:
        """The groups with some of the columns: of a label a series, of a list a frame.

        Raises KeyError for labels that are not there.
        """
        columns = self._of.columns
        if is_list_like(key) and not isinstance(key, tuple):
            labels = list(key)
            for each in labels:
                if each not in columns:
                    raise UnknownColumnError(each, columns)
            return self._like(data=self._of[labels])
        if isinstance(key, tuple) and len(key) > 1:
            raise ValueError(
                "Cannot subset columns with a tuple with more than one element. Use a list instead."
            )
        if not is_hashable(key) or key not in columns:
            raise UnknownColumnError(key, columns)
        return self._like(data=self._of[key])
