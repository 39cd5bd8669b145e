"""The spectral transforms and the particle pusher of a small plasma simulation."""

import numpy as np
from fbpic.main import Simulation
from scipy.constants import c

np.random.seed(0)  # noqa: NPY002  (fbpic draws from it)
sim = Simulation(
    40, 20e-6, 20, 10e-6, 2, 20e-6 / 40 / c, 0, 20e-6, 0, 10e-6, 2, 2, 4, 1e24,
    verbose_level=0, use_cuda=False,
)  # fmt: skip
sim.step(5, show_progress=False)
print(sorted(sim.ptcl[0].ux.tolist())[::10])
print(np.abs(sim.fld.interp[0].Er).sum(axis=0).tolist())
