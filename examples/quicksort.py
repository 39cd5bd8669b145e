"""Quicksort without recursion: each thread sorts its own row, with a stack in local memory."""

import numpy as np
from _report import best_time, check, report, timed
from numba import cuda, int32

DEPTH = 64


@cuda.jit
def sort_rows(rows):  # noqa: C901  (one function, as a kernel is written)
    r = cuda.grid(1)
    if r >= rows.shape[0]:
        return
    stack = cuda.local.array((DEPTH, 2), int32)
    stack[0, 0] = 0
    stack[0, 1] = rows.shape[1] - 1
    top = 1
    while top > 0:
        top -= 1
        low = stack[top, 0]
        high = stack[top, 1]
        while low < high:
            pivot = rows[r, (low + high) // 2]
            i = low
            j = high
            while i <= j:
                while rows[r, i] < pivot:
                    i += 1
                while rows[r, j] > pivot:
                    j -= 1
                if i <= j:
                    rows[r, i], rows[r, j] = rows[r, j], rows[r, i]
                    i += 1
                    j -= 1
            # The larger half goes on the stack, so that its depth stays logarithmic.
            if j - low < high - i:
                if i < high:
                    stack[top, 0] = i
                    stack[top, 1] = high
                    top += 1
                high = j
            else:
                if low < j:
                    stack[top, 0] = low
                    stack[top, 1] = j
                    top += 1
                low = i


def quicksort_in_python(values):
    if len(values) <= 1:
        return values
    pivot = values[len(values) // 2]
    return (
        quicksort_in_python([v for v in values if v < pivot])
        + [v for v in values if v == pivot]
        + quicksort_in_python([v for v in values if v > pivot])
    )


def main():
    count, length = 4096, 256
    rows = np.random.default_rng(0).random((count, length), dtype=np.float32)
    device = cuda.to_device(rows)
    threads = 32

    def run():
        device.copy_to_device(rows)
        sort_rows[(count + threads - 1) // threads, threads](device)
        cuda.synchronize()

    kernel = best_time(run)
    check(device.copy_to_host(), np.sort(rows, axis=1))
    numpy = best_time(lambda: np.sort(rows, axis=1, kind="quicksort"))
    part = count // 32
    python, _ = timed(lambda: [quicksort_in_python(row) for row in rows[:part].tolist()])
    report("quicksort 4096 rows of 256", kernel, numpy, python * 32)


if __name__ == "__main__":
    main()
