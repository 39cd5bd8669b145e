"""Profiles and benchmarks."""

from typing import assert_type

import phalanx as px


def step(scale: float) -> float:
    return float((px.arange(100) * scale).sum())


def report(taken: px.Profile) -> str:
    return f"{taken.label}: {taken.seconds} s, {len(taken.records)} records"


with px.profile("steps") as taken:
    step(2.0)
assert_type(taken, px.Profile)
print(report(taken.merge([taken])))
taken.save("trace.json")

timing = px.benchmark(step, 2.0, runs=3)
assert_type(timing, px.Timing)
assert_type(timing.median, float)
compared = px.benchmark([step, step], 2.0)
assert_type(compared, px.Benchmark)
for each in compared:
    assert_type(each, px.Timing)
