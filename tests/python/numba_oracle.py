"""Numba's own `numba.cuda`, whose typing is an oracle and needs no GPU.

numba-cuda, where it is installed, takes the place of that module with an import hook. Import this
module before anything that imports `numba.cuda`: it takes the hook away from this process.
"""

import sys

sys.meta_path[:] = [each for each in sys.meta_path if type(each).__name__ != "NumbaCudaFinder"]
