"""What CuPy's tests import: `cupy` answered by Phalanx, and its test helpers from the checkout."""
