"""Data frames and models."""

from typing import assert_type

import numpy as np
from phalanx.ml.cluster import KMeans
from phalanx.ml.linear_model import LinearRegression
from phalanx.ml.metrics import r2_score
from phalanx.ml.model_selection import train_test_split
from phalanx.testing import assert_frame_equal

import phalanx as px
from phalanx import errors, sparse

trips = px.DataFrame({"zone": [1, 2, 1], "km": [3.5, 0.8, 12.0]})
assert_type(trips, px.DataFrame)
assert_type(trips.head(2), px.DataFrame)
trips["fare"] = trips["km"] * 1.8
print(trips.groupby("zone")["fare"].sum(), trips.merge(trips, on="zone").sort_values("km_x"))
series = px.Series([1, 2, 3], name="n", index=px.Index(["a", "b", "c"]))
assert_type(series, px.Series)
print(series.rolling(2).mean(), px.concat([series, series]), px.date_range("2026", periods=3))
assert_frame_equal(trips, trips)

features = np.random.default_rng(0).normal(size=(100, 3))
target = features @ [1.0, 2.0, 3.0]
x, x_test, y, y_test = train_test_split(features, target, random_state=0)
model = LinearRegression(fit_intercept=False).fit(x, y)
print(r2_score(y_test, model.predict(x_test)), KMeans(n_clusters=3).fit(features).labels_)
print(sparse.csr_matrix((3, 3), dtype=np.float32).toarray())
try:
    px.zeros(-1)
except (errors.PhalanxError, px.DeviceError) as error:
    print(error)

dates = px.Series(px.date_range("2026", periods=3))
assert_type(trips * 2 - 1, px.DataFrame)
assert_type(trips == 1, px.DataFrame)
assert_type(series < 2, px.Series)
print(trips.add(1, fill_value=0).mean(axis=1).std(ddof=0), series.sum(min_count=1), trips.T)
print(dates.dt.year, dates.dt.is_month_start, px.DatetimeIndex(dates).month, px.Period("2026").day)

rides = px.read_csv("rides.csv", parse_dates=["start"])
assert_type(rides, px.DataFrame)
print(rides["km"].sum(), px.read_csv("rides.csv", iterator=True).get_chunk(3))
for part in px.read_csv("rides.csv", chunksize=1000):
    assert_type(part, px.DataFrame)
