"""Symbols, images and distances of time series."""

import numpy as np
from pyts.approximation import PiecewiseAggregateApproximation, SymbolicAggregateApproximation
from pyts.image import GramianAngularField, MarkovTransitionField, RecurrencePlot
from pyts.metrics import boss, dtw

series = np.random.default_rng(0).random((6, 32))
print(PiecewiseAggregateApproximation(window_size=4).transform(series).tolist())
print(SymbolicAggregateApproximation(n_bins=4).fit_transform(series)[0].tolist())
print(GramianAngularField(8).fit_transform(series)[0].tolist())
print(MarkovTransitionField(8).fit_transform(series)[0].tolist())
print(RecurrencePlot().transform(series)[0].sum().tolist())
print([float(dtw(series[0], each, method="sakoechiba")) for each in series])
print(float(boss(series[0], series[1])))
