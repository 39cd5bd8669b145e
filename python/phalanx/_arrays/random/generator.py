"""`phalanx.random.Generator`: every distribution of NumPy's, the same numbers on all devices."""

from __future__ import annotations

import abc
import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes, host, outputs
from ..in_place import in_place
from . import conditions as must_be
from . import examples, integers, numpys, orders, vectors
from .counters import Philox4x32, extents
from .distributions import DISTRIBUTIONS, Distribution
from .sampling import Sampling, finished, parameter, shape_of


class Generator(metaclass=abc.ABCMeta):
    """Draws from distributions, as `numpy.random.Generator` does, arrays of ours.

    Of a `Philox4x32`, which `default_rng` takes, what is drawn depends on the seed and on the draws
    before it only, not on the device: draws are recorded, fuse with what is computed of them, and
    are in memory only where somebody looks. `random`, `normal` and their like give the same numbers
    in one call as in several. `vonmises`, `hypergeometric`, `multivariate_hypergeometric` and some
    samples without replacement are made on the host.

    Of one of NumPy's bit generators, `PCG64(seed)` say, the numbers are NumPy's, made on the host.
    """

    _source: Philox4x32

    def __new__(cls, bit_generator: Any) -> Any:
        if not isinstance(bit_generator, Philox4x32):
            return numpys.Generator(bit_generator)
        made = super().__new__(cls)
        made._source = bit_generator
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self._source,)

    def __repr__(self) -> str:
        return f"Generator({type(self._source).__name__})"

    @property
    def bit_generator(self) -> Any:
        """Where the random bits come from."""
        return self._source

    def spawn(self, n_children: int) -> list[Generator]:
        """Generators that are independent of this one and of each other."""
        return [Generator(each) for each in self._source.spawn(n_children)]

    def bytes(self, length: int) -> bytes:
        """So many random bytes."""
        count = operator.index(length)
        words = self._source.array("words", (-(-count // 8),), ())
        return np.asarray(words).astype("<u8").tobytes()[:count]

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Uniform on [0, 1), in multiples of 2**-53, of float32 of 2**-24."""
        return self._standard("random", size, dtype, out)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Normal, of mean 0 and standard deviation 1."""
        return self._standard("normal", size, dtype, out)

    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
    ) -> Any:
        """Exponential, of mean 1; `method`, which NumPy's takes, makes no difference."""
        if method not in ("zig", "inv"):
            raise ValueError("method must be 'zig' or 'inv'")
        return self._standard("exponential", size, dtype, out)

    def standard_gamma(
        self, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None
    ) -> Any:
        """Gamma, of that shape and scale 1. Raises `ValueError` for negative ones."""
        given = parameter("shape", shape)
        must_be.not_negative("shape", given)
        return self._standard("gamma", size, dtype, out, given)

    def _standard(self, name: str, size: Any, dtype: Any, out: Any, *parameters: Any) -> Any:
        """A function of the engine's, in float64 or float32, in `out` where one is given.

        Raises `TypeError` for other dtypes, `ValueError` for an `out` of another shape.
        """
        wanted = dtypes.name_of(dtype)
        if wanted not in ("float64", "float32"):
            raise TypeError(f"Unsupported dtype {np.dtype(wanted)!r} for {name}")
        if out is not None:
            if size is not None and extents(size) != out.shape:
                raise ValueError("size must match out.shape when used together")
            if dtypes.name_of(out.dtype) != wanted:
                raise TypeError(f"Supplied output array has the wrong type. Expected {wanted}")
            size = out.shape
        s = Sampling(self._source, shape_of(size, list(parameters)), wanted)
        made = s.draw(name, *parameters)
        return finished(made) if out is None else outputs.store(out, made, name=name)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        """Uniform whole numbers from `low` to below `high`, or to `high` itself with `endpoint`.

        With one bound they are from 0 on. Raises `ValueError` where there are none or a bound is
        not of the dtype, `TypeError` for a dtype that is not of whole numbers.
        """
        return finished(integers.draw(self._source, low, high, size, dtype, endpoint))

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """How many of `n` trials of probability `p` succeed."""
        return finished(vectors.binomial(self._source, n, p, size))

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        """How many of `n` trials have each of the outcomes, along a last dimension."""
        return finished(vectors.multinomial(self._source, n, pvals, size))

    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        """Parts of 1, along a last dimension, with weights `alpha`."""
        return finished(vectors.dirichlet(self._source, alpha, size))

    def multivariate_normal(
        self,
        mean: Any,
        cov: Any,
        size: Any = None,
        check_valid: str = "warn",
        tol: float = 1e-8,
        *,
        method: str = "svd",
    ) -> Any:
        """Normal vectors of that mean and covariance, along a last dimension.

        Their product with the covariance's factor may differ between devices in the last bits.
        """
        return finished(
            vectors.multivariate_normal(self._source, mean, cov, size, method, (check_valid, tol))
        )

    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> Any:
        """Von Mises, on a circle: the angles around `mu` in radians; made on the host."""
        return vectors.on_host(self._source, "vonmises", size, mu, kappa)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """How many of a sample without replacement are good; made on the host."""
        return vectors.on_host(self._source, "hypergeometric", size, ngood, nbad, nsample)

    def multivariate_hypergeometric(
        self, colors: Any, nsample: Any, size: Any = None, method: str = "marginals"
    ) -> Any:
        """How many of a sample without replacement have each colour; made on the host."""
        name = "multivariate_hypergeometric"
        return vectors.on_host(self._source, name, size, colors, nsample, method=method)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        """A sample of the parts of an array along an axis, or of the whole numbers below an int."""
        return orders.choice(self._source, a, size, axis, orders.Sample(replace, p, shuffle))

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Brings an array's parts along the axis, or a list's items, into random order.

        >>> items = px.arange(4)
        >>> px.random.default_rng(7).shuffle(items)
        >>> items
        array([0, 1, 2, 3])
        """
        orders.shuffle(self._source, x, axis)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """A copy with the parts along the axis in random order; of an int, of its range."""
        return orders.permutation(self._source, x, axis)

    def permuted(self, x: Any, *, axis: int | None = None, out: Any = None) -> Any:
        """A copy with each row along the axis in random order; without an axis, all of it."""
        if out is not None and out.shape != np.shape(x):
            raise ValueError(f"out is to have the shape {np.shape(x)}, not {out.shape}")
        made = orders.permuted(self._source, x, axis)
        return made if out is None else outputs.store(out, made, name="permuted")


Generator.register(numpys.Generator)


def _method(name: str, row: Distribution) -> Callable[..., Any]:
    names = [each.name for each in row.parameters]
    defaults = {each.name: each.default for each in row.parameters if not each.is_needed}

    def draw(self: Generator, *args: Any, **kwargs: Any) -> Any:
        size, given = _bound(name, names, defaults, args, kwargs)
        values = [parameter(each.name, given[each.name]) for each in row.parameters]
        for each, value in zip(row.parameters, values, strict=True):
            each.check(each.name, value)
        return finished(row.make(Sampling(self._source, shape_of(size, values)), *values))

    draw.__name__ = draw.__qualname__ = name
    signature = ", ".join(
        each.name if each.is_needed else f"{each.name}={each.default}" for each in row.parameters
    )
    draw.__doc__ = f"{name}({signature}{', ' if signature else ''}size=None)\n\n{row.doc}"
    return draw


def _bound(
    name: str, names: list[str], defaults: dict[str, Any], args: tuple[Any, ...], kwargs: Any
) -> tuple[Any, dict[str, Any]]:
    """The size and the parameters of a call."""
    if len(args) > len(names) + 1:
        raise TypeError(f"{name}() takes at most {len(names) + 1} arguments ({len(args)} given)")
    given: dict[str, Any] = dict(zip([*names, "size"], args, strict=False))
    for key, value in kwargs.items():
        if key in given or key not in (*names, "size"):
            why = "got several values for" if key in given else "has no"
            raise TypeError(f"{name}() {why} argument '{key}'")
        given[key] = value
    given = {**defaults, **given}
    missing = [each for each in names if each not in given]
    if missing:
        raise TypeError(f"{name}() needs the argument '{missing[0]}'")
    return given.pop("size", None), given


for _name, _row in DISTRIBUTIONS.items():
    setattr(Generator, _name, _method(_name, _row))
for _name, _value in list(vars(Generator).items()):
    if callable(_value) and not _name.startswith("_"):
        setattr(Generator, _name, in_place(_value))
for _name, _value in vars(Generator).items():
    if _value.__doc__ and not _name.startswith("_"):
        _value.__doc__ = examples.of_generator(_name, inspect.cleandoc(_value.__doc__))


def default_rng(seed: Any = None) -> Any:
    """A generator of a seed or a `SeedSequence`, whose numbers are the same on all devices.

    Of a bit generator, of that one; a generator as it is. Raises `ValueError` or `TypeError` for
    what is no seed.

    >>> px.random.default_rng(7).integers(0, 10, 4)
    array([5, 2, 7, 9])
    """
    if isinstance(seed, (Generator, numpys.Generator)):
        return seed
    if isinstance(seed, (Philox4x32, np.random.BitGenerator, np.random.Generator)):
        return Generator(getattr(seed, "bit_generator", seed))
    if isinstance(seed, np.random.RandomState):
        return Generator(seed._bit_generator)
    return Generator(Philox4x32(host.as_host(seed)))
