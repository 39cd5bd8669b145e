"""Points and lines on a canvas."""

import datashader
import numpy as np
import pandas

rng = np.random.default_rng(0)
frame = pandas.DataFrame({"x": rng.random(1000), "y": rng.random(1000), "v": rng.random(1000)})
canvas = datashader.Canvas(20, 20, (0, 1), (0, 1))
print(canvas.points(frame, "x", "y", datashader.count()).values.tolist())
print(np.nan_to_num(canvas.points(frame, "x", "y", datashader.mean("v")).values).tolist())
print(canvas.line(frame[:50], "x", "y", datashader.count()).values.tolist())
