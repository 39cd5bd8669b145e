"""Arrays with NumPy's names and meaning, on any device: what `phalanx` and its `ndarray` offer."""
