"""Programs with one planted fault each, and programs without.

The line that advice must name ends in ``# FAULT``. Programs take a part of a second.
"""

from __future__ import annotations

from dataclasses import dataclass

_KERNEL = """
import numpy as np
from phalanx import cuda

@cuda.jit
def scale(x, y, factor):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * factor
"""


@dataclass(frozen=True)
class Program:
    """A program's text; `cause` is that of the advice it deserves, "" for none."""

    name: str
    cause: str
    text: str
    with_gpu_rates: bool = False  # as if there were a GPU to compute on

    @property
    def line(self) -> int:
        """The line of the fault."""
        lines = self.text.splitlines()
        return next(i for i, line in enumerate(lines, 1) if line.endswith("# FAULT"))


FAULTS = (
    Program(
        "the same array is copied in each step",
        "copies",
        _KERNEL
        + """
x = np.arange(1_000_000, dtype=np.float32)
y = cuda.device_array_like(x)
for step in range(40):
    on_device = cuda.to_device(x)  # FAULT
    scale[x.size // 256 + 1, 256](on_device, y, np.float32(step))
""",
    ),
    Program(
        "a function copies its table at each call",
        "copies",
        _KERNEL
        + """
table = np.linspace(0, 1, 500_000)

def looked_up(factor):
    y = cuda.device_array_like(table)
    x = cuda.to_device(table)  # FAULT
    scale[x.size // 128 + 1, 128](x, y, factor)
    return y

for factor in range(50):
    looked_up(float(factor))
""",
    ),
    Program(
        "results go to the host and back between steps",
        "round trips",
        _KERNEL
        + """
state = np.ones(1_000_000, dtype=np.float32)
for step in range(40):
    x = cuda.to_device(state)  # FAULT
    y = cuda.device_array_like(x)
    scale[x.size // 256 + 1, 256](x, y, np.float32(1.01))
    state = y.copy_to_host()
    state[0] = step
""",
    ),
    Program(
        "a kernel for each row",
        "launches",
        _KERNEL
        + """
rows = cuda.to_device(np.ones((3000, 32), dtype=np.float32))
results = cuda.device_array_like(rows)
for i in range(3000):
    scale[1, 32](rows[i], results[i], np.float32(2))  # FAULT
""",
    ),
    Program(
        "an expression for each row",
        "launches",
        """
import numpy as np
import phalanx as px

rows = px.asarray(np.ones((1500, 16), dtype=np.float32))
total = 0.0
for i in range(1500):
    total += float(px.sqrt(rows[i]).sum())  # FAULT
""",
    ),
    Program(
        "a function of each group is run by Python",
        "launches",
        """
import numpy as np
import phalanx as px

days = np.datetime64("2026-01-01", "s") + np.arange(4500) * np.timedelta64(7, "h")
visits = px.DataFrame({"user": np.arange(4500) % 1500, "day": days})

def pauses(group):
    return (group["day"].diff() > px.Timedelta("5h")).sum()

visits.groupby("user").apply(pauses)  # FAULT
""",
    ),
    Program(
        "an array of weights is float64 by accident",
        "float64",
        """
import numpy as np
import phalanx as px

x = px.asarray(np.ones(2_000_000, dtype=np.float32))
weights = px.asarray(np.linspace(0, 1, 2_000_000))
total = 0.0
for step in range(10):
    total += float((px.sqrt(x + np.float32(step)) * weights).sum())  # FAULT
""",
    ),
    Program(
        "a number in a kernel makes it float64",
        "float64",
        """
import numpy as np
from phalanx import cuda

@cuda.jit
def damp(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * 0.9 + y[i] * 0.1  # FAULT

x = cuda.to_device(np.ones(2_000_000, dtype=np.float32))
y = cuda.device_array_like(x)
for step in range(20):
    damp[x.size // 256 + 1, 256](x, y)
""",
    ),
    Program(
        "threads side by side read elements far apart",
        "strides",
        """
import numpy as np
from phalanx import cuda

@cuda.jit
def transposed_sum(a, b, c):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        c[i, j] = a[i, j] + b[i, j]  # FAULT

a = cuda.to_device(np.ones((1024, 1024), dtype=np.float32))
c = cuda.device_array_like(a)
for step in range(60):
    transposed_sum[(64, 64), (16, 16)](a, a, c)
""",
    ),
    Program(
        "each thread sums a row of its own",
        "strides",
        """
import numpy as np
from phalanx import cuda

@cuda.jit
def row_sums(a, sums):
    i = cuda.grid(1)
    if i < a.shape[0]:
        total = np.float32(0)
        for j in range(a.shape[1]):
            total += a[i, j]  # FAULT
        sums[i] = total

a = cuda.to_device(np.ones((4096, 512), dtype=np.float32))
sums = cuda.device_array(4096, dtype=np.float32)
for step in range(10):
    row_sums[32, 128](a, sums)
""",
    ),
    Program(
        "one block does all the work",
        "processors",
        """
import numpy as np
from phalanx import cuda

@cuda.jit
def total_of(x, y):
    for i in range(cuda.threadIdx.x, x.size, cuda.blockDim.x):
        y[i] = x[i] * x[i] + np.float32(1)

x = cuda.to_device(np.ones(1_000_000, dtype=np.float32))
y = cuda.device_array_like(x)
for step in range(60):
    total_of[1, 256](x, y)  # FAULT
""",
    ),
    Program(
        "a function is called for each element",
        "launches",
        """
import numpy as np
import phalanx

@phalanx.njit
def area(radius):
    return 3.14159 * radius * radius

total = 0.0
for radius in range(20_000):
    total += area(float(radius))  # FAULT
""",
    ),
    Program(
        "a kernel is defined in the loop",
        "compilations",
        """
import numpy as np
from phalanx import cuda

x = cuda.to_device(np.ones(100_000, dtype=np.float32))
for power in range(8):
    @cuda.jit
    def shift(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += power

    shift[x.size // 256 + 1, 256](x)  # FAULT
""",
    ),
    Program(
        "a function has another constant each time",
        "compilations",
        """
import numpy as np
import phalanx

x = np.ones(1000)
totals = []
for power in range(8):
    @phalanx.njit
    def total(x):
        s = 0.0
        for i in range(x.size):
            s += x[i] ** power
        return s

    totals.append(total(x))  # FAULT
""",
    ),
    Program(
        "elements are read one by one",
        "reads",
        """
import numpy as np
from phalanx import cuda

x = cuda.to_device(np.ones(100_000, dtype=np.float32))
total = 0.0
for i in range(2000):
    total += x[i]  # FAULT
""",
    ),
    Program(
        "a GPU would do it sooner",
        "device",
        """
import numpy as np
import phalanx as px

with px.device("cpu"):
    x = px.asarray(np.ones(2_000_000, dtype=np.float32))
    total = px.zeros(())
    for step in range(10):
        total = total + float((px.sin(x * step) + px.exp(-x) * px.cos(x)).sum())  # FAULT
""",
        with_gpu_rates=True,
    ),
)

GOOD = (
    Program(
        "large launches in a loop",
        "",
        _KERNEL
        + """
x = cuda.to_device(np.ones(1_000_000, dtype=np.float32))
y = cuda.device_array_like(x)
for step in range(30):
    scale[x.size // 256 + 1, 256](x, y, np.float32(2))
    x, y = y, x
result = x.copy_to_host()
""",
    ),
    Program(
        "chunks of other data are copied in each step",
        "",
        _KERNEL
        + """
data = np.arange(4_000_000, dtype=np.float32)
results = np.empty_like(data)
for begin in range(0, data.size, 500_000):
    x = cuda.to_device(data[begin : begin + 500_000])
    y = cuda.device_array_like(x)
    scale[x.size // 256 + 1, 256](x, y, np.float32(2))
    results[begin : begin + 500_000] = y.copy_to_host()
""",
    ),
    Program(
        "one expression over large arrays",
        "",
        """
import numpy as np
import phalanx as px

x = px.asarray(np.linspace(0, 1, 2_000_000))
for step in range(5):
    y = px.sqrt(px.sin(x) ** 2 + px.exp(x * step))
    total = float(y.sum())
""",
    ),
    Program(
        "float32 throughout",
        "",
        """
import numpy as np
import phalanx as px

x = px.asarray(np.linspace(0, 1, 2_000_000, dtype=np.float32))
weights = px.asarray(np.linspace(0, 1, 2_000_000, dtype=np.float32))
for step in range(5):
    total = float((px.sqrt(x * 2 + 1) * weights).sum())
""",
    ),
    Program(
        "reductions of float32 that add up in float64 of their own",
        "",
        """
import numpy as np
import phalanx as px

x = px.asarray(np.linspace(0, 1, 2_000_000, dtype=np.float32))
total = float(x.std())
rows = x.reshape(2000, 1000)
spread = px.sqrt(rows + 1).std(axis=1).max()
total += float(spread)
""",
    ),
    Program(
        "float64 on purpose",
        "",
        """
import numpy as np
from phalanx import cuda

@cuda.jit
def damp(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * 0.9 + y[i] * 0.1

x = cuda.to_device(np.ones(1_000_000))
y = cuda.device_array_like(x)
for step in range(20):
    damp[x.size // 256 + 1, 256](x, y)
""",
    ),
    Program(
        "rows of a matrix are read along the threads",
        "",
        """
import numpy as np
from phalanx import cuda

@cuda.jit
def add(a, b, c):
    j, i = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        c[i, j] = a[i, j] + b[i, j]

a = cuda.to_device(np.ones((1024, 1024), dtype=np.float32))
c = cuda.device_array_like(a)
for step in range(10):
    add[(32, 128), (32, 8)](a, a, c)
""",
    ),
    Program(
        "a frame: read, group, join",
        "",
        """
import numpy as np
import phalanx as px

rng = np.random.default_rng(1)
trips = px.DataFrame({"zone": rng.integers(0, 50, 200_000), "km": rng.random(200_000)})
zones = px.DataFrame({"zone": np.arange(50), "price": np.linspace(1, 2, 50)})
joined = trips.merge(zones, on="zone")
joined["fare"] = joined["km"] * joined["price"]
fares = joined.groupby("zone")["fare"].mean().sort_values()
""",
    ),
    Program(
        "a function for the CPU",
        "",
        """
import numpy as np
import phalanx

@phalanx.njit
def total(x):
    s = 0.0
    for i in range(x.size):
        s += x[i] * x[i]
    return s

x = np.ones(1_000_000)
for step in range(10):
    total(x)
""",
    ),
    Program(
        "few results are read at the end",
        "",
        """
import numpy as np
from phalanx import cuda

@cuda.jit
def squares(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * x[i]

x = cuda.to_device(np.ones(1_000_000, dtype=np.float32))
for step in range(10):
    squares[x.size // 256 + 1, 256](x)
first, last = x[0], x[x.size - 1]
""",
    ),
    Program(
        "a model is fitted",
        "",
        """
import numpy as np
from phalanx.ml.linear_model import LinearRegression

rng = np.random.default_rng(1)
x = rng.random((20_000, 8))
model = LinearRegression().fit(x, x @ np.arange(8))
model.predict(x)
""",
    ),
)
