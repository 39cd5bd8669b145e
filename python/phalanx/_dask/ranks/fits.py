"""Fits by one task a worker, which holds the worker's blocks: where NCCL can add up their sums."""

from __future__ import annotations

import contextlib
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import distributed

from ..._models.blocks.reduction import Alone
from ..._models.options import generator_of
from ...errors import DeviceError
from ..deploy.versions import WorkerError
from ..models.blocks import Blocks
from . import communicator
from .blocks import Led, Rank, follow
from .communicator import Broken, Seat

_LOOK = 0.5  # seconds between two looks at which workers are there
_TRIALS = 3  # of a fit whose workers die, as Dask's tasks have
_LOCK = "phalanx-ranks"  # of a cluster: two fits at once would wait for each other's workers

Fit = Callable[[Any, Any], None]


class _Lost(Exception):
    """Workers of a fit that are not there any more."""


class Ranks(NamedTuple):
    """The workers of a fit in their order, and the numbers of their blocks."""

    addresses: list[str]
    numbers: list[list[int]]
    path: str  # of NCCL
    identity: bytes


class Fitted(NamedTuple):
    """What a worker that leads sends back."""

    learned: dict[str, Any]
    said: list[Any]  # warnings
    generator: Any


def by_workers(client: Any, fit: Fit, model: Any, blocks: Blocks) -> bool:
    """Fit a model by one task a worker; False where not all workers have a GPU each and NCCL.

    A fit whose workers die begins again with those that are left. Where NCCL fails, a warning says
    so, and the fit is left to tasks. Raises WorkerError where workers die again and again,
    DeviceError where NCCL is asked for and cannot be loaded, else as `fit`.
    """
    with distributed.Lock(_LOCK):
        for _ in range(_TRIALS):
            try:
                ranks = _ranks(client, blocks)
                if ranks is not None:
                    _take(model, _together(client, ranks, fit, model, blocks))
            except _Lost:
                continue
            except Broken as error:
                warnings.warn(f"{error}; this fit goes by tasks", RuntimeWarning, stacklevel=4)
                return False
            return ranks is not None
    raise WorkerError(f"workers died {_TRIALS} times in this fit")


def _take(model: Any, made: Fitted) -> None:
    vars(model).update(made.learned)
    for each in made.said:
        warnings.warn(str(each.message), each.category, stacklevel=4)


def _ranks(client: Any, blocks: Blocks) -> Ranks | None:
    """Who fits; None where not all have a GPU of their own and NCCL."""
    futures = distributed.futures_of(blocks.parts)
    by_key = {each.key: each for each in futures}
    keys = [part.key for part in blocks.parts]
    if not set(keys) <= by_key.keys():
        return None
    distributed.wait(futures)
    if any(each.status != "finished" for each in futures):
        return None  # what is wrong with the samples is said by tasks
    places = _places(keys, client.who_has(futures))
    addresses = sorted(places)
    path = communicator.wanted() or "1"
    found = client.run(communicator.here, path, workers=addresses, on_error="return")
    answers = [found.get(each) for each in addresses]
    if not all(isinstance(each, communicator.Here) for each in answers):
        raise _Lost
    gpus = {each.gpu for each in answers}
    if None in gpus or len(gpus) < len(addresses):
        return None
    if len(addresses) > 1 and any(each.refusal for each in answers):
        if communicator.wanted():
            raise DeviceError(next(each.refusal for each in answers if each.refusal))
        return None
    identity = _identity(client, addresses, path, answers) if len(addresses) > 1 else b""
    return Ranks(addresses, [places[each] for each in addresses], path, identity)


def _places(keys: list[str], who: dict[str, Any]) -> dict[str, list[int]]:
    """The numbers of the blocks that each worker takes, of those that it has.

    Where several have a block, the one with the fewest takes it: tasks before may have left all
    blocks on one worker, too.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for number in sorted(range(len(keys)), key=lambda each: len(who[keys[each]])):
        holders = who[keys[number]]
        if not holders:
            raise _Lost
        places[min(holders, key=lambda each: (len(places.get(each, ())), each))].append(number)
    return {each: sorted(numbers) for each, numbers in places.items()}


def _identity(client: Any, addresses: list[str], path: str, answers: list[Any]) -> bytes:
    """That of the communicator which these workers keep, in this order; else a new one."""
    kept = answers[0].seat
    if kept is not None:
        seats = [Seat(kept.identity, rank, len(addresses)) for rank in range(len(addresses))]
        if [each.seat for each in answers] == seats:
            return bytes(kept.identity)
    made = client.run(communicator.new_identity, path, workers=addresses[:1])
    return bytes(made[addresses[0]])


def _together(client: Any, ranks: Ranks, fit: Fit, model: Any, blocks: Blocks) -> Fitted:
    """One task a worker, all at the same time. Raises _Lost, Broken, else what `fit` raises."""
    by_key = {each.key: each for each in distributed.futures_of(blocks.parts)}
    shipped = model._unfitted()
    generator = None
    if "random_state" in vars(shipped):
        generator = generator_of(shipped.random_state)
        shipped.random_state = generator
    tasks = []
    for rank, (address, numbers) in enumerate(zip(ranks.addresses, ranks.numbers, strict=True)):
        own = [by_key[blocks.parts[number].key] for number in numbers]
        seat = Seat(ranks.identity, rank, len(ranks.addresses))
        given = (fit, shipped) if rank == 0 else None
        placed = {"workers": [address], "allow_other_workers": False}
        more = {"pure": False, "retries": 0, "priority": 10}
        share = numbers, own, len(blocks.parts)
        tasks.append(client.submit(_take_part, ranks.path, seat, share, given, **placed, **more))
    with _stopping(client, ranks, tasks):
        _watch(client, ranks, tasks)
    made: Fitted = tasks[0].result()
    if generator is not None:
        generator.set_state(made.generator.get_state())
    return made


@contextlib.contextmanager
def _stopping(client: Any, ranks: Ranks, tasks: list[Any]) -> Iterator[None]:
    """Whatever happens here, no worker waits for another one afterwards."""
    try:
        yield
    except BaseException:
        there = [each for each in ranks.addresses if each in client.nthreads()]
        client.run(communicator.stop, ranks.identity, workers=there, on_error="ignore")
        client.cancel(tasks)
        raise


def _watch(client: Any, ranks: Ranks, tasks: list[Any]) -> None:
    """Wait for the tasks, of which none can wait for a worker that is gone."""
    waiting = tasks
    while waiting:
        with contextlib.suppress(TimeoutError):
            distributed.wait(waiting, timeout=_LOOK, return_when="FIRST_COMPLETED")
        if not set(ranks.addresses) <= set(client.nthreads()):
            raise _Lost
        for each in tasks:
            if each.status not in ("pending", "finished"):
                each.result()
        waiting = [each for each in tasks if each.status == "pending"]


def _take_part(
    path: str, seat: Seat, share: tuple[list[int], list[Any], int], given: tuple[Fit, Any] | None
) -> Fitted | None:
    """A worker's part of a fit: to lead it where it is given one, else to follow."""
    numbers, blocks, count = share
    reduction = Alone() if seat.size == 1 else communicator.joined(path, seat)
    rank = Rank(reduction, dict(zip(numbers, blocks, strict=True)), count)
    if given is None:
        follow(rank)
        return None
    fit, model = given
    parameters = set(model.get_params(deep=False))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            fit(model, Led(rank))
        finally:
            if not reduction.is_broken:
                rank.told(None)
    learned = {name: value for name, value in vars(model).items() if name not in parameters}
    return Fitted(learned, list(said), getattr(model, "random_state", None))
