"""PyCUDA's interface: ``import pycuda`` under `phalanx run`.

`driver`, `compiler`, `gpuarray` and the others have PyCUDA's names and meaning, on GPUs and on the
CPU device; CUDA C is compiled by phalanx's own front end.
"""

VERSION = (2026, 1)
VERSION_STATUS = ""
VERSION_TEXT = "2026.1"
__version__ = VERSION_TEXT
