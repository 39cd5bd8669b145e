"""The Mandelbrot set: a loop in each thread that ends at a different time."""

import numpy as np
from _report import best_time, check, report, timed
from numba import cuda

WIDTH, HEIGHT, ITERATIONS = 1024, 512, 256
LEFT, TOP, SIZE_X, SIZE_Y = -2.0, -1.25, 2.5, 2.5


@cuda.jit
def mandelbrot(image, left, top, step_x, step_y, iterations):
    x, y = cuda.grid(2)
    if y < image.shape[0] and x < image.shape[1]:
        c_real = left + x * step_x
        c_imag = top + y * step_y
        real = 0.0
        imag = 0.0
        count = 0
        while count < iterations and real * real + imag * imag < 4.0:
            real, imag = real * real - imag * imag + c_real, 2.0 * real * imag + c_imag
            count += 1
        image[y, x] = count


def mandelbrot_in_numpy():
    x = LEFT + np.arange(WIDTH) * (SIZE_X / WIDTH)
    y = TOP + np.arange(HEIGHT) * (SIZE_Y / HEIGHT)
    c_real, c_imag = np.meshgrid(x, y)
    real, imag = np.zeros_like(c_real), np.zeros_like(c_real)
    count = np.zeros(c_real.shape, np.int32)
    for _ in range(ITERATIONS):
        inside = real * real + imag * imag < 4.0
        count += inside
        new_real = real * real - imag * imag + c_real
        imag = np.where(inside, 2.0 * real * imag + c_imag, imag)
        real = np.where(inside, new_real, real)
    return count


def row_in_python(y):
    row = []
    for x in range(WIDTH):
        c = complex(LEFT + x * (SIZE_X / WIDTH), TOP + y * (SIZE_Y / HEIGHT))
        z = 0j
        count = 0
        while count < ITERATIONS and z.real * z.real + z.imag * z.imag < 4.0:
            z = z * z + c
            count += 1
        row.append(count)
    return row


def main():
    image = cuda.device_array((HEIGHT, WIDTH), np.int32)
    block = (32, 8)
    grid = (WIDTH // block[0], HEIGHT // block[1])

    def run():
        mandelbrot[grid, block](image, LEFT, TOP, SIZE_X / WIDTH, SIZE_Y / HEIGHT, ITERATIONS)
        cuda.synchronize()

    kernel = best_time(run)
    numpy, expected = timed(mandelbrot_in_numpy)
    # A fused multiply-add may move points on the very edge of the set.
    different = np.count_nonzero(image.copy_to_host() != expected)
    check(different <= 0.005 * expected.size, True)
    rows = range(0, HEIGHT, HEIGHT // 8)
    python, _ = timed(lambda: [row_in_python(y) for y in rows])
    report("mandelbrot 1024x512", kernel, numpy, python * HEIGHT / len(rows))


if __name__ == "__main__":
    main()
