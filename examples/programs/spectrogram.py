"""A spectrogram: which frequencies a sound has when, by Fourier transforms of short pieces.

The first plot of every lab for audio. Method: D. Gabor, "Theory of Communication", 1946, with
Hann's window. The sound is a chirp, whose frequency at each time is known, and a bell.
"""

import numpy as np
from _program import Run, check, start
from numpy.lib.stride_tricks import sliding_window_view

import phalanx as px

FIELD, USES = "signal", "arrays, FFT"
RATE, WINDOW, HOP = 16_000, 1024, 128


def sound(seconds):
    """A tone that rises from 500 Hz to 6 kHz, a bell of 3 kHz each second, and noise."""
    time = np.arange(int(RATE * seconds)) / RATE
    phase = 2 * np.pi * (500 * time + 5500 / (2 * seconds) * time**2)
    bell = np.sin(2 * np.pi * 3000 * time) * np.exp(-12 * (time % 1.0))
    noise = np.random.default_rng(2).normal(0, 0.05, time.size)
    return (np.sin(phase) + 0.4 * bell + noise).astype(np.float32)


def spectrogram(xp, windows, signal):
    """Decibels, a row for each piece of WINDOW samples."""
    pieces = windows(signal, WINDOW)[::HOP]
    window = xp.asarray(np.hanning(WINDOW).astype(np.float32))
    power = xp.abs(xp.fft.rfft(pieces * window, axis=1)) ** 2
    return 10 * xp.log10(power + 1e-10)


def main(run: Run) -> None:
    seconds = run.size(60, 2)
    signal = sound(seconds)
    ours = px.asarray(signal)
    decibels = run.measure(lambda: np.asarray(spectrogram(px, px.sliding_window_view, ours)))
    expected = run.peer("NumPy", lambda: spectrogram(np, sliding_window_view, signal))
    run.agree(decibels, expected, atol=0.2)
    # The strongest frequency is the chirp's in the middle of the piece.
    middle = (np.arange(len(decibels)) * HOP + WINDOW / 2) / RATE
    chirp = 500 + 5500 / seconds * middle
    loudest = decibels.argmax(axis=1) * RATE / WINDOW
    check(np.mean(np.abs(loudest - chirp) < 2 * RATE / WINDOW) > 0.95, True)

    def draw(axes):
        extent = (0, seconds, 0, RATE / 2000)
        axes.imshow(
            decibels.T, origin="lower", aspect="auto", extent=extent, vmin=-30, cmap="magma"
        )
        axes.set(xlabel="seconds", ylabel="kHz")

    run.picture(draw, (8, 4))


if __name__ == "__main__":
    start(main)
