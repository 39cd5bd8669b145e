"""Where the time of sorts and of k-means over several GPUs goes, stage by stage.

    python -P bench/device_stages.py [SHARE [SECTION...]]

SHARE is of 2e9 float32 for sorts and of 2e8 x 12 for k-means. Sections are "sort", "k-means" and
"links"; each is a process of its own, which ends after LIMIT seconds.

A line of a stage has milliseconds, the medians of RUNS runs: of the wall, until all devices are
done; of the host, until they have been told; of each device, from the stage's begin to the end of
its own work. Stages are waited for, so that their sum is more than the whole.
"""

from __future__ import annotations

import dataclasses
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

import phalanx as px
from phalanx import cuda

RUNS = 3
LIMIT = 38
GIGA = 1e9
STEPS = 20  # of k-means


class Clock:
    """Prints what stages take on some devices."""

    def __init__(self, group: Any) -> None:
        self.group = group
        self.streams = [each._device.default_stream for each in group]

    def marks(self) -> list[Any]:
        """The time on each device, once it comes there."""
        made = [stream.device.event() for stream in self.streams]
        for event, stream in zip(made, self.streams, strict=True):
            event.record(stream)
        return made

    def run(self, work: Callable[[], Any]) -> tuple[Any, list[float]]:
        """What it makes, and the milliseconds of the wall, the host, and each device."""
        self.group.synchronize()
        first, begin = self.marks(), time.perf_counter()
        made = work()
        told, last = time.perf_counter(), self.marks()
        self.group.synchronize()
        end = time.perf_counter()
        devices = [b.elapsed_ms_since(a) for a, b in zip(first, last, strict=True)]
        return made, [1e3 * (end - begin), 1e3 * (told - begin), *devices]

    def stage(self, name: str, work: Callable[[], Any], moved: float = 0.0) -> Any:
        """Runs it, once more before as that may compile; `moved` are bytes, of which GB/s."""
        made, rows = work(), []
        for _ in range(RUNS):
            made = None  # its memory is used again
            made, row = self.run(work)
            rows.append(row)
        times = sorted(rows)[RUNS // 2]
        rate = f" {moved / GIGA / (max(times[2:]) / 1e3):7.0f} GB/s" if moved else ""
        print(f"  {name:42}" + "".join(f"{each:8.2f}" for each in times) + rate, flush=True)
        return made

    def walls(self, name: str, work: Callable[[], Any], runs: int = 6) -> float:
        """All runs, with the gigabytes that each device's pool has after each."""
        kept, times, pools = None, [], []
        for _ in range(runs):
            kept = self.run(work)  # the one before goes when this one is there
            times.append(kept[1][0])
            pools.append([each._device.memory_info() for each in self.group])
        held = [
            "/".join(f"{(one['used_here'] + one['cached_here']) / GIGA:.1f}" for one in row)
            for row in pools
        ]
        print(f"  {name}: " + " ".join(f"{each:.1f}" for each in times), "ms; pools", *held)
        return statistics.median(times[1:])


def profiled(group: Any, work: Callable[[], Any]) -> None:
    """What each device did in one run, its longest idle times, and where the host was slow."""
    work()
    group.synchronize()
    with px.profile() as seen:
        work()
        group.synchronize()
    for device in sorted({each.device for each in seen.records if each.is_on_stream}):
        busy = [each for each in seen.records if each.is_on_stream and each.device == device]
        busy.sort(key=lambda each: each.device_start)
        named: dict[str, list[float]] = {}
        for each in busy:
            named.setdefault(each.name or each.kind, []).append(1e3 * each.device_seconds)
        parts = sorted(named.items(), key=lambda pair: -sum(pair[1]))[:7]
        text = ", ".join(
            f"{name[:22]} {len(one)} x {sum(one) / len(one):.2f}" for name, one in parts
        )
        print(f"  {device}: {text}")
        end = max(each.device_end for each in busy)
        print(
            f"    from {1e3 * busy[0].device_start:.1f} to {1e3 * end:.1f}, idle before: "
            + _text(_gaps(busy, "device_start", "device_end"), 5)
        )
    gaps = []
    for thread in {each.thread for each in seen.records}:
        gaps += _gaps([each for each in seen.records if each.thread == thread], "start", "end")
    slow = sorted(seen.records, key=lambda each: -each.seconds)[:8]
    print(f"  host gaps before: {_text(gaps, 8)}")
    print("  host calls:", ", ".join(f"{_name(e)} {1e3 * e.seconds:.1f}" for e in slow))


def _name(record: Any) -> str:
    return (record.name or record.kind)[:18]


def _gaps(records: Sequence[Any], start: str, end: str) -> list[tuple[float, float, str]]:
    """Of records of one queue the times without any: how long, from when on, and what came then."""
    found, reached = [], getattr(records[0], end)
    for record in records:
        found.append((getattr(record, start) - reached, reached, _name(record)))
        reached = max(reached, getattr(record, end))
    return found


def _text(gaps: list[tuple[float, float, str]], most: int) -> str:
    longest = [each for each in sorted(gaps, reverse=True)[:most] if each[0] > 2e-4]
    return ", ".join(f"{what} {1e3 * gap:.1f} at {1e3 * at:.1f}" for gap, at, what in longest)


@contextmanager
def replaced(module: Any, name: str, value: Any) -> Any:
    """While a module's name is something else."""
    own = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, own)


def computed(array: Any) -> Any:
    """The array with its elements in memory."""
    for part in getattr(array, "parts", [array]):
        part._evaluate()
    return array


def random(group: Any, *shape: int) -> Any:
    """Numbers between 0 and 1, spread."""
    return computed(group.default_rng(0).random(size=shape, dtype="float32"))


def sort(group: Any, share: float) -> None:
    """A sort and its stages, over all devices and on one."""
    count = int(2e9 * share)

    def whole(some: Any) -> float:
        x = random(some, count)
        return Clock(some).walls(f"np.sort on {len(some)}", lambda: computed(np.sort(x)))

    one = whole(px.devices(group[0].name))
    px.free_all_blocks()
    print(f"  ratio {one / whole(group):.2f} [1.6]; stages: wall, host, each device")
    px.free_all_blocks()
    x = random(group, count)
    profiled(group, lambda: computed(np.sort(x)))
    sort_stages(group, x)


def sort_stages(group: Any, x: Any) -> None:
    """What a sort over devices does, one after the other, and other ways to do it."""
    from phalanx._arrays.spread import exchanging, merging
    from phalanx._arrays.spread.barrier import barrier
    from phalanx._sorting import exchange, parts

    clock, devices = Clock(group), [each._device for each in group]

    def exchanged(name: str, moved: float = 0.0) -> None:
        """How long keys take until they are in their buckets, and these sorted."""
        steps = exchanging.Steps.of(x)
        splitters = clock.stage(f"splitters{name}", steps.splitters)
        clock.stage(f"keys counted{name}", lambda: steps.count(splitters))
        clock.stage(f"sent{name}", steps.send, moved)
        clock.stage(f"sent and sorted{name}", lambda: (steps.send(), steps.sort()))

    clock.stage("one part sorted, the others idle", lambda: merging.sorted_part(x.parts[0], {}))
    clock.stage("memory for it", lambda: exchanging.Steps.of(x))
    clock.stage("a barrier", lambda: barrier(devices))
    over_links = x.parts[0].nbytes * (len(group) - 1) / len(group)
    exchanged("", over_links)
    clock.stage("all of it", lambda: exchanging.sort(x))
    clock.stage("all of it by merges", lambda: merging.sort(x))
    with replaced(exchange, "_MOST_DIGITS", 0):
        exchanged(", buckets alone", over_links)
        clock.stage("all of it, buckets alone", lambda: exchanging.sort(x))
    for shape in ((512, 16, 64), (1024, 16, 64)):
        tile = partial(dataclasses.replace, parts.Tile(*shape))
        with replaced(exchange, "tile_of", lambda what, tile=tile: tile(digits=what.digits)):
            exchanged(", {} x {}".format(*shape), over_links)


def k_means(group: Any, share: float) -> None:
    """A fit and its stages, over all devices and on one."""
    from phalanx.ml.cluster import KMeans

    x = random(group, int(2e8 * share), 12)
    first = np.asarray(x[:8])
    model = KMeans(8, init=first, n_init=1, max_iter=STEPS, tol=0)

    def whole(some: Any) -> float:
        given = x if len(some) > 1 else computed(x.gather())
        made = Clock(some).walls(
            f"fit on {len(some)}", lambda: computed(model.fit(given).labels_), 4
        )
        profiled(some, lambda: model.fit(given))
        model.labels_ = None
        px.free_all_blocks()
        return made

    one = whole(px.devices(group[0].name))
    print(f"  ratio {one / whole(group):.2f} [1.8]; stages: wall, host, each device")
    k_means_stages(group, x, model)


def k_means_stages(group: Any, x: Any, model: Any) -> None:
    """What a fit over devices does, one after the other, and other ways to do it."""
    from phalanx._models.blocks import kmeans as over
    from phalanx._models.blocks.on_devices import OnDevices
    from phalanx._models.blocks.source import added
    from phalanx._models.cluster.lloyd_steps import LloydSteps

    lone, clock = Clock(px.devices(group[0].name)), Clock(group)
    blocks = clock.stage("samples checked", lambda: OnDevices.of(model, x))
    found = clock.stage(
        "means and squares", lambda: blocks.reduced(over._outline_of, over._of_both)
    )
    middle = found.mean.astype("float32")
    moved = clock.stage("samples less the mean", lambda: blocks.prepared(over._moved, middle))
    centers, ending = model.init - middle, over._Ending(0.0, STEPS)

    def stepped() -> Any:
        return over._steps(moved, centers, ending, verbose=False)

    made, _ = clock.stage(f"{STEPS} steps without the host", stepped)
    with replaced(over, "reach_each_other", lambda samples: False):
        clock.stage(f"{STEPS} steps, sums to the host", stepped)
    own = moved.here()[0].data[1]
    lone.stage(
        f"{STEPS} steps of one part alone, a graph",
        lambda: LloydSteps(own, None, centers, STEPS, 0.0).run(),
    )
    labels = clock.stage("labels", lambda: moved.rows(over._nearest, made))
    clock.stage(
        "inertia and counts",
        lambda: moved.reduced(over._inertia, added, made, of_blocks=labels.parts),
    )


def links(group: Any, share: float) -> None:
    """What goes over the link, both ways at once: by copies, and by kernels that read or write."""
    from phalanx._arrays import coerce
    from phalanx._arrays.launching import on_device

    devices, clock = [each._device for each in group], Clock(group)
    count = int(5e8 * share) // 40960 * 40960
    sources = computed(group.zeros(len(group) * (count + 32), "float32")).parts
    outs = computed(group.zeros(len(group) * (count + 32), "float32")).parts
    neighbors = [*range(1, len(group)), 0]

    def launched(kernel: Any, from_other: bool, to_other: bool, *options: Any) -> None:
        for here, there in enumerate(neighbors):
            given = sources[there if from_other else here], outs[there if to_other else here]
            memory = [on_device(each._open(), devices[here]) for each in given]
            kernel[132 * 8, 512, devices[here].default_stream](*memory, count, *options)

    def gigabytes(name: str, work: Callable[[], Any]) -> None:
        clock.stage(name, work, 4.0 * count)

    copies = list(zip(neighbors, group, strict=True))
    gigabytes(
        "copies of the driver", lambda: [coerce.asarray(sources[i], device=to) for i, to in copies]
    )
    kernel = moves_runs(40)
    gigabytes("a kernel within a device", lambda: launched(kernel, False, False, 0, False))
    gigabytes("reads, whole lines", lambda: launched(kernel, True, False, 0, False))
    gigabytes("reads, lines shared by warps", lambda: launched(kernel, True, False, 1, False))
    gigabytes("writes, whole lines", lambda: launched(kernel, False, True, 0, False))
    gigabytes("writes, runs of 40", lambda: launched(kernel, False, True, 0, True))
    long = moves_runs(5120)
    gigabytes("writes, runs of 5,120", lambda: launched(long, False, True, 0, True))
    gigabytes("within a device, runs of 40", lambda: launched(kernel, False, False, 0, True))


def moves_runs(run: int) -> Any:
    """A kernel that copies, in runs of a number of elements, which go far from each other."""

    @cuda.jit
    def moves(source: Any, out: Any, count: Any, shift: Any, scatters: Any) -> None:
        for i in range(cuda.grid(1), np.int32(count), cuda.gridsize(1)):
            place = np.int32(i)
            if scatters:
                number = place // np.int32(run)
                low = number & 1023
                turned = (number - low) | ((low & 31) << 5) | (low >> 5)
                place = turned * np.int32(run) + place % np.int32(run)
                place = min(place, np.int32(count - 1))
            out[place] = source[i + shift]

    moves.set_advises(False)
    return moves


SECTIONS = {"sort": sort, "k-means": k_means, "links": links}


def main() -> None:
    """Each section in a process of its own, or the one that is named in this one."""
    given = sys.argv[1:]
    if given[:1] == ["--here"]:
        SECTIONS[given[1]](px.devices("all"), float(given[2]))
        return
    share = given[0] if given else "1"
    for section in given[1:] or SECTIONS:
        begin = time.perf_counter()
        print(section, flush=True)
        command = [sys.executable, "-P", __file__, "--here", section, share]
        try:
            ended = subprocess.run(command, timeout=LIMIT, check=False).returncode
        except subprocess.TimeoutExpired:
            ended = "its limit"
        seconds = time.perf_counter() - begin
        print(f"  {seconds:.0f} s" + (f", ended by {ended}" if ended else ""), flush=True)


if __name__ == "__main__":
    main()
