"""Single dates and durations: `Timestamp`, `Timedelta`, `NaT`, and how they are read from text."""

from . import making as making
from .nat import NaT as NaT
from .nat import NaTType as NaTType
from .timedelta import Timedelta as Timedelta
from .timestamp import Timestamp as Timestamp
