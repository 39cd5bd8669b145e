"""Smith-Waterman: how well DNA reads fit in pairs, a block for each, an antidiagonal at a time.

The algorithm of each GPU aligner's first page. Method: T. Smith and M. Waterman, "Identification of
Common Molecular Subsequences", 1981, with linear gaps.
"""

import numpy as np
from _program import Run, check, start
from numba import cuda, int32

FIELD, USES = "biology", "kernels"
LENGTH = 128
MATCH, MISMATCH, GAP = 2, -1, -2


@cuda.jit
def align(reads, targets, scores):
    """Thread j keeps column j; three diagonals of the table are in shared memory."""
    diagonals = cuda.shared.array((3, LENGTH + 1), int32)
    best = cuda.shared.array(LENGTH, int32)
    pair, j = cuda.blockIdx.x, cuda.threadIdx.x
    for k in range(3):
        diagonals[k, j + 1] = 0
        if j == 0:
            diagonals[k, 0] = 0
    best[j] = 0
    cuda.syncthreads()
    for diagonal in range(2 * LENGTH - 1):
        i = diagonal - j
        now, before, older = diagonal % 3, (diagonal + 2) % 3, (diagonal + 1) % 3
        if 0 <= i < LENGTH:
            same = reads[pair, i] == targets[pair, j]
            above = diagonals[before, j + 1] if i > 0 else 0
            corner = diagonals[older, j] if i > 0 else 0
            score = max(0, corner + (MATCH if same else MISMATCH))
            score = max(score, above + GAP, diagonals[before, j] + GAP)
            diagonals[now, j + 1] = score
            best[j] = max(best[j], score)
        cuda.syncthreads()
    half = LENGTH // 2
    while half > 0:
        if j < half:
            best[j] = max(best[j], best[j + half])
        cuda.syncthreads()
        half //= 2
    if j == 0:
        scores[pair] = best[0]


def align_in_python(read, target):
    above, best = [0] * (LENGTH + 1), 0
    for base in read:
        row = [0]
        for j, other in enumerate(target):
            score = above[j] + (MATCH if base == other else MISMATCH)
            row.append(max(0, score, above[j + 1] + GAP, row[j] + GAP))
        best = max(best, *row)
        above = row
    return best


def mutated(rng, reads):
    """The reads with one base of ten changed and some bases moved along."""
    targets = np.where(rng.random(reads.shape) < 0.1, rng.integers(0, 4, reads.shape), reads)
    shifts = rng.integers(0, 12, len(reads))[:, None]
    return np.take_along_axis(targets, (np.arange(LENGTH) + shifts) % LENGTH, axis=1).astype("i1")


def main(run: Run) -> None:
    pairs = run.size(4000, 16)
    rng = np.random.default_rng(17)
    reads = rng.integers(0, 4, (pairs, LENGTH)).astype("i1")
    targets = mutated(rng, reads)
    targets[0] = reads[0]
    there = cuda.to_device(reads), cuda.to_device(targets)
    scores = cuda.device_array(pairs, np.int32)

    def job():
        align[pairs, LENGTH](*there, scores)
        return scores.copy_to_host()

    found = run.measure(job)
    some = min(pairs, 16)
    lists = list(zip(reads[:some].tolist(), targets[:some].tolist(), strict=True))
    expected = run.peer(
        "Python", lambda: [align_in_python(*each) for each in lists], share=some / pairs
    )
    check(found[:some], expected)
    check(found[0], MATCH * LENGTH)

    def draw(axes):
        axes.hist(found, bins=50)
        axes.set(xlabel="score of the best local alignment", ylabel="pairs")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
