"""Waves behind two slits.

Slices of arrays, as NumPy's users write them: each step is one kernel, made of the expression.
"""

from _show import film, main

import phalanx as px


def draw():
    rows, columns = 180, 240
    now, before = px.zeros((rows, columns)), px.zeros((rows, columns))
    open_ = px.ones((rows, columns))
    open_[:, 80:84] = 0
    open_[70:80, 80:84] = 1
    open_[100:110, 80:84] = 1
    frames = []
    for number in range(840):
        near = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:]
        following = px.zeros((rows, columns))
        following[1:-1, 1:-1] = (2 * now - before)[1:-1, 1:-1] + 0.24 * (near - 4 * now[1:-1, 1:-1])
        following[:, 2] = px.sin(px.asarray(number * 0.45))
        now, before = following * open_ * 0.999, now
        if number >= 240 and number % 24 == 0:
            frames.append(now.get())
    return film(frames, "RdBu", vmin=-1, vmax=1)


if __name__ == "__main__":
    main(draw)
