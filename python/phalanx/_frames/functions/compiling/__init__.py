"""Functions of Python's numbers as compiled functions that give the same, or raise."""
