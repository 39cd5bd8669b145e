"""A sine at another sampling rate."""

import numpy as np
import resampy

sine = np.sin(2 * np.pi * 440 * np.arange(4000) / 44100)
print(resampy.resample(sine, 44100, 22050).tolist())
print(resampy.resample(sine.astype(np.float32), 44100, 48000, parallel=True).sum().tolist())
