"""Pyramids of images: two pictures joined without a seam, by blending each band of frequencies.

The orange that is half an apple, of every course on computer vision. Method: P. Burt and
E. Adelson, "A Multiresolution Spline With Application to Image Mosaics", 1983.
"""

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "imaging", "arrays"
WEIGHTS = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)


def blur_rows(xp, a):
    padded = xp.pad(a, ((2, 2), (0, 0)), mode="edge")
    return sum(w * padded[k : k + a.shape[0]] for k, w in enumerate(WEIGHTS))


def shrink(xp, a):
    """Half as high and wide, blurred before."""
    half = blur_rows(xp, a)[::2]
    return blur_rows(xp, half.T)[::2].T


def widen(xp, a):
    """Twice as high and wide."""
    for _ in range(2):
        wide = xp.zeros((2 * a.shape[0], a.shape[1]), dtype=a.dtype)
        wide[::2] = 2 * a
        a = blur_rows(xp, wide).T
    return a


def bands(xp, a, levels):
    """What each level adds to the one above it, and the smallest image."""
    result = []
    for _ in range(levels):
        less = shrink(xp, a)
        result.append(a - widen(xp, less))
        a = less
    return [*result, a]


def join(xp, parts):
    image = parts[-1]
    for band in reversed(parts[:-1]):
        image = widen(xp, image) + band
    return image


def blend(xp, left, right, mask, levels):
    weights = [mask]
    for _ in range(levels):
        weights.append(shrink(xp, weights[-1]))
    pairs = zip(bands(xp, left, levels), bands(xp, right, levels), weights, strict=True)
    return join(xp, [a * w + b * (1 - w) for a, b, w in pairs])


def main(run: Run) -> None:
    size, levels = run.size((2048, 6), (64, 3))
    y, x = np.mgrid[:size, :size].astype(np.float32) / size
    left = (0.5 + 0.5 * np.sin(60 * x + 8 * np.sin(6 * y))).astype(np.float32)
    right = (0.5 + 0.5 * np.cos(45 * np.hypot(x - 0.8, y - 0.4))).astype(np.float32)
    mask = (x < 0.5).astype(np.float32)
    ours = [px.asarray(each) for each in (left, right)]
    weight = px.asarray(mask)
    blended = run.measure(lambda: np.asarray(blend(px, ours[0], ours[1], weight, levels)))
    expected = run.peer("NumPy", lambda: blend(np, left, right, mask, levels))
    run.agree(blended, expected, atol=1e-5)
    # A pyramid holds all of its image.
    again = np.asarray(join(px, bands(px, ours[0], levels)))
    check(again, left, atol=1e-5)
    # Far from the seam each side is itself; at the seam the step is gone.
    check(blended[:, 0], left[:, 0], atol=0.1)
    run.picture(lambda axes: axes.imshow(blended, cmap="copper"))


if __name__ == "__main__":
    start(main)
