"""Arrays with NumPy's names and meaning, on any device: what `phalanx` and its `ndarray` offer.

Importing this package gives the engine the class of its arrays; it loads no NumPy.
"""

from . import ndarray as ndarray
