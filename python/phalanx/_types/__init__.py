"""Types of arguments and values: Python's form of them, the engine's, and the installed Numba's."""
