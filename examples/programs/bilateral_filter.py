"""The bilateral filter: noise goes, edges stay; a thread for each pixel, weights in its registers.

One of CUDA's imaging samples. Method: C. Tomasi and R. Manduchi, "Bilateral Filtering for Gray and
Color Images", 1998.
"""

import math

import numpy as np
from _program import Run, check, start
from numba import cuda

FIELD, USES = "imaging", "kernels"
RADIUS, NEAR, ALIKE = 5, 3.0, 0.15


@cuda.jit(fastmath=True)
def bilateral(image, out):
    x, y = cuda.grid(2)
    height, width = image.shape
    if x < width and y < height:
        here = image[y, x]
        total = np.float32(0)
        weights = np.float32(0)
        for j in range(max(y - RADIUS, 0), min(y + RADIUS + 1, height)):
            for i in range(max(x - RADIUS, 0), min(x + RADIUS + 1, width)):
                away = np.float32((i - x) * (i - x) + (j - y) * (j - y))
                other = image[j, i] - here
                weight = math.exp(
                    -away * np.float32(0.5 / NEAR**2) - other * other * np.float32(0.5 / ALIKE**2)
                )
                total += weight * image[j, i]
                weights += weight
        out[y, x] = total / weights


def bilateral_in_numpy(image):
    height, width = image.shape
    padded = np.pad(image, RADIUS, constant_values=np.nan)
    total, weights = np.zeros_like(image), np.zeros_like(image)
    for j in range(-RADIUS, RADIUS + 1):
        for i in range(-RADIUS, RADIUS + 1):
            shifted = padded[RADIUS + j :, RADIUS + i :][:height, :width]
            away, other = i * i + j * j, shifted - image
            weight = np.exp(-away / (2 * NEAR**2) - other**2 / (2 * ALIKE**2))
            total += np.nan_to_num(weight * shifted)
            weights += np.nan_to_num(weight)
    return total / weights


def main(run: Run) -> None:
    height, width = run.size((900, 1200), (60, 80))
    y, x = np.mgrid[:height, :width] / height
    steps = np.floor(3 * (np.sin(6 * x) + np.cos(5 * y))) / 6
    clean = (0.5 + steps * 0.4).astype(np.float32)
    noisy = clean + np.random.default_rng(2).normal(0, 0.05, clean.shape).astype(np.float32)
    image, out = cuda.to_device(noisy), cuda.device_array(clean.shape, np.float32)

    def job():
        bilateral[((width + 31) // 32, (height + 7) // 8), (32, 8)](image, out)
        return out.copy_to_host()

    smooth = run.measure(job)
    run.agree(smooth, run.peer("NumPy", lambda: bilateral_in_numpy(noisy)), rtol=2e-4)
    check(np.std(smooth - clean) < 0.5 * np.std(noisy - clean), True)
    run.picture(lambda axes: axes.imshow(np.hstack([noisy, smooth]), cmap="gray"), (9.6, 3.8))


if __name__ == "__main__":
    start(main)
