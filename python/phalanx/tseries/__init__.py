"""What pandas has as ``pandas.tseries``: offsets, and frequencies as texts."""

from . import frequencies as frequencies
from . import offsets as offsets
