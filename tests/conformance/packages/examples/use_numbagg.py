"""Means, moving windows and groups, with missing values."""

import numbagg
import numpy as np

values = np.random.default_rng(0).random((5, 60))
values[values < 0.1] = np.nan
print(numbagg.nanmean(values, axis=1).tolist())
print(numbagg.nanquantile(values, [0.25, 0.75], axis=1).tolist())
print(np.nan_to_num(numbagg.move_mean(values, window=7)).tolist())
print(np.nan_to_num(numbagg.move_exp_nanmean(values, alpha=0.3)).tolist())
print(numbagg.group_nanmean(values, np.arange(60) % 4, axis=1).tolist())
