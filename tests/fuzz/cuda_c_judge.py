"""The judges of random programs of CUDA C: the host's compiler, and on a GPU NVRTC too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cuda_c_host as host
import numpy as np
from cuda_c_host import HostError, Results
from cuda_c_programs import BINS, BLOCKS, COUNT, SLOTS, THREADS, program
from cuda_c_tree import Node, shrink

OPTIONS = ("--fmad=false",)  # the host's compiler contracts nothing either
MOST_TRIES = 600  # of programs on the way to the smallest


class Way(NamedTuple):
    """How a program runs here: a device, and the compiler that makes its code."""

    device: str
    compiler: str


CPU = Way("cpu", "phalanx")


def ways(device: str) -> list[Way]:
    """The CPU device; on a GPU also that, by NVRTC too where it is installed."""
    from phalanx._cuda_c import nvrtc

    if device == "cpu":
        return [CPU]
    compilers = nvrtc.COMPILERS if nvrtc.find_library("nvrtc") is not None else ("phalanx",)
    return [CPU, *(Way(device, each) for each in compilers)]


def ours(text: str, way: Way) -> Results | str:
    """What a program stores when it is compiled here, or how it fails."""
    from phalanx._cuda_c import CudaCModule, SourceOptions

    from phalanx import _engine, cuda

    before = _engine.current_device()
    _engine.set_current_device(_engine.device(way.device))
    try:
        options = SourceOptions.parse(OPTIONS)
        module = CudaCModule(text, "program.cu", options, compiler=way.compiler)
        given = [cuda.to_device(each) for each in host.inputs()]
        out = cuda.to_device(np.zeros(COUNT * SLOTS, np.int64))
        real = cuda.to_device(np.zeros(COUNT * SLOTS))
        bins = cuda.to_device(np.arange(BINS, dtype=np.uint32) * 1000)
        arguments = [out, real, bins, *given, np.int32(5)]
        module.kernel("kernel").launch((BLOCKS,), (THREADS,), arguments)
        return Results(*(each.copy_to_host() for each in (out, real, bins)))
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:600]}"
    finally:
        _engine.set_current_device(before)


def difference(expected: Results, found: Results | str) -> str:
    """How what was found differs from what is right; empty where it does not."""
    if isinstance(found, str):
        return found
    for name, one, other in zip(Results._fields, expected, found, strict=True):
        is_same = (one == other) | ((one != one) & (other != other))
        if name == "real":
            is_same &= (np.signbit(one) == np.signbit(other)) | np.isnan(one)
        if not is_same.all():
            where = int(np.argmin(is_same))
            what = f"bin {where}"
            if name != "bins":
                what = f"thread {where // SLOTS}, {name} {where % SLOTS}"
            count = int((~is_same).sum())
            return f"{what}: {other[where]}, g++ has {one[where]} ({count} numbers differ)"
    return ""


def kind_of(text: str) -> str:
    """What stays the same of a difference while its program gets smaller."""
    return text.split(":")[0] if "Error" in text.split(":")[0] else "differs" if text else ""


class Judge:
    """Compares programs on some of the ways in which they run."""

    def __init__(self, device: str = "cpu") -> None:
        self._ways = ways(device)
        has_nvrtc = any(each.compiler == "nvrtc" for each in self._ways)
        self.name = "g++ and NVRTC" if has_nvrtc else "g++"

    def describe(self, numbers: Sequence[int], is_told: bool = False) -> Iterator[tuple[int, str]]:
        """How programs differ: their numbers, with the smallest programs that do."""
        programs = [program(number) for number in numbers]
        expected = self._expected([str(each) for each in programs])
        for number, whole, right in zip(numbers, programs, expected, strict=True):
            if is_told:
                print("at", number, flush=True)
            if isinstance(right, str):
                yield number, f"the generator is wrong: {right}\n"
                continue
            for way in self._ways:
                what = difference(right, ours(str(whole), way))
                if what:
                    yield number, self._reduced(whole, way, what)
                    break

    @staticmethod
    def _expected(texts: list[str]) -> list[Results | str]:
        """What the host's compiler has; of those that it takes where it does not take all."""
        try:
            return host.run(texts)
        except HostError as error:
            if len(texts) == 1:
                return [str(error)]
        return [result for text in texts for result in Judge._expected([text])]

    @staticmethod
    def _reduced(whole: Node, way: Way, what: str) -> str:
        kind, told, tries = kind_of(what), what, 0

        def fails() -> bool:
            nonlocal told, tries
            tries += 1
            text = str(whole)
            if tries > MOST_TRIES:
                return False
            try:
                (expected,) = host.run([text])
            except HostError:
                return False
            if isinstance(expected, str):
                return False
            now = difference(expected, ours(text, way))
            if kind_of(now) != kind:
                return False
            told = now
            return True

        shrink(whole, fails)
        return f"{way.device}, {way.compiler}: {told}\n{whole}"
