"""What CUDA C++ Programming Guide's appendix "Texture Fetching" says, in NumPy.

Texels have the shape (depth, height, width, channels), coordinates the order x, y, z.
"""

from __future__ import annotations

import itertools

import numpy as np

WRAP, CLAMP, MIRROR, BORDER = range(4)
POINT, LINEAR = range(2)


def addressed(mode, index, extent):
    """The element for an index that may be outside, -1 for the border."""
    if mode == WRAP:
        return index % extent
    if mode == MIRROR:
        within = index % (2 * extent)
        return np.where(within < extent, within, 2 * extent - 1 - within)
    if mode == CLAMP:
        return np.clip(index, 0, extent - 1)
    return np.where((index < 0) | (index >= extent), -1, index)


def values_of(texels, normalized):
    """Elements as what is read: integers as they are, or as floats of [0, 1] and [-1, 1]."""
    if not normalized or texels.dtype.kind == "f":
        return texels.astype("f8")
    return np.maximum(texels / np.iinfo(texels.dtype).max, -1.0)


def border_of(colour, code, normalized):
    """A border's colour as elements hold it, as an H100 has it: the rule is not written down.

    Halves are cut. Of integers that are read as floats, the colour is cut to a bit more than they
    have, then rounded, halves of a step to 0. Integers are the low bits of the float.
    """
    colour = np.asarray(colour, "f4")
    if code == "f2":
        half = np.clip(colour, -65504, 65504).astype("f2")
        beyond = np.abs(half.astype("f4")) > np.abs(colour)
        return np.where(beyond, np.nextafter(half, np.float16(0)), half).astype("f8")
    if code[0] == "f":
        return colour.astype("f8")
    if not normalized:
        return colour.view("u4").astype(code)
    largest, steps = np.iinfo(code).max, 2.0 ** (8 * np.dtype(code).itemsize + 1)
    clamped = np.clip(np.nan_to_num(colour.astype("f8")), -1 if code[0] == "i" else 0, 1)
    cut = np.trunc(np.abs(clamped) * steps) / steps
    return np.copysign(np.ceil(cut * largest - 0.5) / largest, clamped)


def gathered(values, indices, border):
    z, y, x = [*(np.zeros_like(indices[0]),) * (3 - len(indices)), *reversed(indices)]
    found = values[z, y, x]
    outside = (z < 0) | (y < 0) | (x < 0)
    return np.where(outside[:, None], np.asarray(border)[: values.shape[-1]], found)


def fetched(values, points, address, filtering, normalized_coordinates, border=(0, 0, 0, 0)):
    """T[floor(x)], or the neighbours weighted by fractions in steps of 1/256."""
    extents = values.shape[2::-1]
    scaled = [
        np.asarray(each, "f8") * (extents[i] if normalized_coordinates else 1)
        for i, each in enumerate(points)
    ]
    if not normalized_coordinates and address in (WRAP, MIRROR):
        address = CLAMP
    if filtering == POINT:
        indices = [np.floor(each).astype("i8") for each in scaled]
        taken = [addressed(address, each, extents[i]) for i, each in enumerate(indices)]
        return gathered(values, taken, border)
    first = [np.floor(each - 0.5).astype("i8") for each in scaled]
    second = [
        np.floor((each - 0.5 - i) * 256 + 0.5) / 256 for each, i in zip(scaled, first, strict=True)
    ]
    total = 0.0
    for corner in itertools.product((0, 1), repeat=len(points)):
        taken = [
            addressed(address, i + side, extent)
            for i, side, extent in zip(first, corner, extents, strict=False)
        ]
        weights = [a if side else 1 - a for a, side in zip(second, corner, strict=True)]
        total = total + np.prod(weights, axis=0)[:, None] * gathered(values, taken, border)
    return total
