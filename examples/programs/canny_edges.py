"""Canny's edges: gradients, thin ridges, and weak edges that touch strong ones, in CUDA C.

A script for CuPy with a `RawModule`, as image pipelines on GPUs have it; run it with
`python -m phalanx run`. Method: J. Canny, "A Computational Approach to Edge Detection", 1986.
"""

import cupy as cp
import numpy as np
from _program import Run, check, start

FIELD, USES = "imaging", "CuPy, CUDA C"
LOW, HIGH = 0.15, 0.4
SOURCE = r"""
#define AT(a, y, x) a[(y) * width + (x)]
#define PLACE                                                                              \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; \
  bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
extern "C" __global__ void gradient(const float *a, float *size, signed char *way,
                                    int height, int width) {
  PLACE if (!inside) return;
  float dx = AT(a, y - 1, x + 1) + 2 * AT(a, y, x + 1) + AT(a, y + 1, x + 1)
           - AT(a, y - 1, x - 1) - 2 * AT(a, y, x - 1) - AT(a, y + 1, x - 1);
  float dy = AT(a, y + 1, x - 1) + 2 * AT(a, y + 1, x) + AT(a, y + 1, x + 1)
           - AT(a, y - 1, x - 1) - 2 * AT(a, y - 1, x) - AT(a, y - 1, x + 1);
  AT(size, y, x) = sqrtf(dx * dx + dy * dy);
  // The nearest of four ways, by the tangent of 22.5 degrees.
  float flat = fabsf(dx) * 0.41421356f, steep = fabsf(dy) * 0.41421356f;
  AT(way, y, x) = fabsf(dy) <= flat ? 0 : fabsf(dx) <= steep ? 2 : (dx > 0) == (dy > 0) ? 1 : 3;
}
extern "C" __global__ void thin(const float *size, const signed char *way, unsigned char *edge,
                                float low, float high, int height, int width) {
  PLACE if (!inside) return;
  int dx = AT(way, y, x) == 2 ? 0 : 1, dy = AT(way, y, x) == 0 ? 0 : AT(way, y, x) == 3 ? -1 : 1;
  float here = AT(size, y, x);
  bool ridge = here > AT(size, y - dy, x - dx) && here >= AT(size, y + dy, x + dx);
  AT(edge, y, x) = !ridge || here < low ? 0 : here < high ? 1 : 2;
}
// A block goes on until none of its weak edges touches a strong one.
extern "C" __global__ void grow(unsigned char *edge, int *changed, int height, int width) {
  PLACE
  bool touches;
  do {
    touches = false;
    if (inside && AT(edge, y, x) == 1)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) touches |= AT(edge, y + j, x + i) == 2;
    __syncthreads();
    if (touches) AT(edge, y, x) = 2, *changed = 1;
  } while (__syncthreads_or(touches));
}"""


def canny(image):
    module = cp.RawModule(code=SOURCE)
    a = cp.asarray(image)
    size, way = cp.zeros(a.shape, "f4"), cp.zeros(a.shape, "i1")
    edge, changed = cp.zeros(a.shape, "u1"), cp.ones(1, "i4")
    height, width = (np.int32(n) for n in a.shape)
    launch = ((int(width) + 31) // 32, (int(height) + 31) // 32), (32, 32)
    module.get_function("gradient")(*launch, (a, size, way, height, width))
    limits = np.float32(LOW), np.float32(HIGH)
    module.get_function("thin")(*launch, (size, way, edge, *limits, height, width))
    while int(changed[0]):
        changed[0] = 0
        module.get_function("grow")(*launch, (edge, changed, height, width))
    return cp.asnumpy(edge == 2)


def canny_in_numpy(image):
    from scipy import ndimage

    dx, dy = (ndimage.sobel(image, axis) for axis in (1, 0))
    size = np.sqrt(dx * dx + dy * dy)
    size[[0, -1]] = size[:, [0, -1]] = 0
    way = np.round(np.arctan2(dy, dx) / (np.pi / 4)).astype(int) % 4
    ridge = np.zeros(image.shape, bool)
    for index, (y, x) in enumerate([(0, 1), (1, 1), (1, 0), (-1, 1)]):
        after, before = np.roll(size, (-y, -x), (0, 1)), np.roll(size, (y, x), (0, 1))
        ridge |= (way == index) & (size > before) & (size >= after)
    parts, _ = ndimage.label(ridge & (size >= LOW), np.ones((3, 3)))
    strong = np.unique(parts[ridge & (size >= HIGH)])
    return np.isin(parts, strong[strong > 0])


def main(run: Run) -> None:
    height, width = run.size((1536, 2048), (96, 128))
    y, x = np.mgrid[:height, :width] / height
    waves = np.sin(40 * x * y) + np.cos(25 * np.hypot(x - 0.6, y - 0.5))
    image = (1 / (1 + np.exp(-6 * waves)) + 0.3 * (y > 0.7)).astype("f4")
    edges = run.measure(lambda: canny(image))
    expected = run.peer("SciPy", lambda: canny_in_numpy(image))
    if expected is not None:  # float32 sums in another order decide a few ties
        check(np.mean(edges != expected) < 2e-3, True)
    check(0.001 < edges.mean() < 0.2, True)
    shown = np.where(edges, 1.0, image * 0.4)[: height // 3, : width // 3]
    run.picture(lambda axes: axes.imshow(shown, cmap="magma"))


if __name__ == "__main__":
    start(main)
