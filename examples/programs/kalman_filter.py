"""Kalman filters: thousands of tracks of a radar at once, small matrices in a parallel loop.

The filter of each robotics course in Python. Method: R. Kalman, "A New Approach to Linear Filtering
and Prediction Problems", 1960: constant speed in the plane, places are measured. The compiled loop
takes one coordinate after the other, which needs no inverse (B. Anderson and J. Moore, "Optimal
Filtering", 1979); NumPy takes stacks of matrices. Both are the same filter.
"""

import numpy as np
from _program import Run, check, start
from numba import njit, prange

FIELD, USES = "signal", "functions"
STEP, NOISE, PUSH = 1.0, 3.0, 0.05
MOVE = np.eye(4) + np.diag([STEP, STEP], 2)
MEASURE = np.eye(2, 4)
MOVE_NOISE = PUSH**2 * np.block(
    [
        [np.eye(2) * STEP**3 / 3, np.eye(2) * STEP**2 / 2],
        [np.eye(2) * STEP**2 / 2, np.eye(2) * STEP],
    ]
)


@njit(parallel=True)
def track(measured, move, move_noise, noise):
    """The estimated states (tracks, times, 4) of measured places (tracks, times, 2)."""
    tracks, times, _ = measured.shape
    out = np.empty((tracks, times, 4))
    for k in prange(tracks):
        state = np.zeros(4)
        state[:2] = measured[k, 0]
        spread = np.eye(4) * 100.0
        for t in range(times):
            state = move @ state
            spread = move @ spread @ move.T + move_noise
            for axis in range(2):
                row = spread[axis].copy()
                gain = row / (row[axis] + noise * noise)
                state += gain * (measured[k, t, axis] - state[axis])
                for i in range(4):
                    for j in range(4):
                        spread[i, j] -= gain[i] * row[j]
            out[k, t] = state
    return out


def track_in_numpy(measured):
    """Stacks of matrices, all tracks in step."""
    tracks, times, _ = measured.shape
    out = np.empty((tracks, times, 4))
    state = np.zeros((tracks, 4, 1))
    state[:, :2, 0] = measured[:, 0]
    spread = np.broadcast_to(np.eye(4) * 100.0, (tracks, 4, 4))
    for t in range(times):
        state = MOVE @ state
        spread = MOVE @ spread @ MOVE.T + MOVE_NOISE
        total = MEASURE @ spread @ MEASURE.T + NOISE**2 * np.eye(2)
        gain = spread @ MEASURE.T @ np.linalg.inv(total)
        state = state + gain @ (measured[:, t, :, None] - MEASURE @ state)
        spread = spread - gain @ MEASURE @ spread
        out[:, t] = state[:, :, 0]
    return out


def fly(tracks, times):
    """True places of things that are pushed a little all the time."""
    rng = np.random.default_rng(16)
    speed = rng.normal(0, 1, (tracks, 1, 2)) + PUSH * rng.normal(size=(tracks, times, 2)).cumsum(1)
    return speed.cumsum(axis=1), rng.normal(0, NOISE, (tracks, times, 2))


def main(run: Run) -> None:
    true, errors = fly(*run.size((5000, 200), (40, 100)))
    states = run.measure(lambda: track(true + errors, MOVE, MOVE_NOISE, NOISE))
    expected = run.peer("NumPy", lambda: track_in_numpy(true + errors))
    run.agree(states, expected, rtol=1e-7, atol=1e-7)
    late = slice(30, None)
    check(np.std((states[..., :2] - true)[:, late]) < 0.5 * np.std(errors), True)

    def draw(axes):
        axes.plot(*(true + errors)[0].T, ".", ms=3, label="measured")
        axes.plot(*states[0, :, :2].T, label="filtered")
        axes.plot(*true[0].T, "k", lw=0.8, label="true")
        axes.legend()

    run.picture(draw)


if __name__ == "__main__":
    start(main)
