"""The chromagram, onsets and pitch of a sweep."""

import librosa
import numpy as np

rate = 22050
sound = librosa.chirp(fmin=200, fmax=800, sr=rate, duration=1.0)
print(librosa.feature.chroma_cqt(y=sound, sr=rate).mean(axis=1).tolist())
print(librosa.onset.onset_strength(y=sound, sr=rate).tolist())
print(np.nan_to_num(librosa.yin(sound, fmin=100, fmax=1000, sr=rate)).tolist())
print(librosa.sequence.dtw(np.arange(10.0)[None], np.arange(3.0, 12.0)[None])[0].tolist())
