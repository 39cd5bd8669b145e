"""Serves `cupy` in every Python that a test starts, as ``python -m phalanx run`` does."""

from phalanx._device import devices

from phalanx import compat

devices.serve_cpu_as_cuda()
compat.install()
