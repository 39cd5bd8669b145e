"""Parameters of models: which values each may have, checked when a model is fitted."""

from __future__ import annotations

import numbers
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np


class InvalidParameterError(ValueError, TypeError):
    """A parameter has a value that no model takes."""


class UnsupportedInputError(NotImplementedError, ValueError):
    """Samples or targets that scikit-learn's model of the name takes, and ours does not."""


class Rule(NamedTuple):
    """Which values a parameter may have, in words, too."""

    takes: Callable[[Any], bool]
    text: str
    # Values that scikit-learn takes and we do not, and checks for all of a kind.
    unsupported: tuple[Any, ...] = ()
    unsupported_kinds: tuple[Callable[[Any], bool], ...] = ()

    @property
    def takes_less(self) -> bool:
        """True if scikit-learn takes values that this rule refuses."""
        return bool(self.unsupported or self.unsupported_kinds)

    def __or__(self, other: Rule) -> Rule:
        """Either rule's values."""
        return Rule(
            lambda value: self.takes(value) or other.takes(value),
            f"{self.text} or {other.text}",
            self.unsupported + other.unsupported,
            self.unsupported_kinds + other.unsupported_kinds,
        )

    def refusing(self, *values: Any) -> Rule:
        """The rule where scikit-learn takes these values, too, and we do not support them."""
        return self._replace(unsupported=(*self.unsupported, *values))

    def refusing_all(self, other: Rule) -> Rule:
        """The rule where scikit-learn takes another rule's values, too, which we do not support."""
        return self._replace(unsupported_kinds=(*self.unsupported_kinds, other.takes))

    def refuses(self, value: Any) -> bool:
        """True for what scikit-learn takes and we do not support."""
        is_named = any(type(value) is type(each) and value == each for each in self.unsupported)
        return is_named or any(takes(value) for takes in self.unsupported_kinds)


def one_of(*values: Any) -> Rule:
    """A rule for some values."""

    def takes(value: Any) -> bool:
        kind = str if isinstance(value, str) else type(value)  # NumPy's texts are texts
        return any(kind is type(each) and value == each for each in values)

    return Rule(takes, "one of " + ", ".join(map(repr, values)))


def _range(low: float, high: float, closed: str) -> str:
    left = "[" if closed in ("both", "left") and low != -np.inf else "("
    right = "]" if closed in ("both", "right") else ")"
    return f"in the range {left}{low}, {high}{right}"


def _inside(value: Any, low: float, high: float, closed: str) -> bool:
    above = value >= low if closed in ("both", "left") else value > low
    below = value <= high if closed in ("both", "right") else value < high
    return bool(above and below)


def whole(low: float = -np.inf, high: float = np.inf) -> Rule:
    """A rule for integers from one number to another, both included."""

    def takes(value: Any) -> bool:
        is_whole = isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))
        return is_whole and _inside(value, low, high, "both")

    # No int is infinite.
    return Rule(takes, f"an int {_range(low, high, 'left' if high == np.inf else 'both')}")


def real(low: float = -np.inf, high: float = np.inf, closed: str = "both") -> Rule:
    """A rule for numbers; `closed` says which ends count: both, left, right, neither."""

    def takes(value: Any) -> bool:
        is_real = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
        return is_real and _inside(value, low, high, closed)

    return Rule(takes, f"a float {_range(low, high, closed)}")


def share(low: float, high: float, closed: str) -> Rule:
    """A rule for numbers that are not ints, which mean something else beside them."""

    def takes(value: Any) -> bool:
        return not isinstance(value, numbers.Integral) and number.takes(value)

    number = real(low, high, closed)
    return Rule(takes, number.text)


ANY = Rule(lambda value: True, "anything")
DICT = Rule(lambda value: isinstance(value, dict), "a dict")
BOOL = Rule(lambda value: isinstance(value, (bool, np.bool_)), "a bool")
NONE = Rule(lambda value: value is None, "None")
ARRAY = Rule(
    lambda value: hasattr(value, "__len__") and not isinstance(value, (str, dict)), "an array"
)
FUNCTION = Rule(callable, "a function")
CLASS_WEIGHT = one_of("balanced") | NONE | DICT
RANDOM = (
    Rule(
        lambda value: isinstance(value, (np.random.RandomState, np.random.Generator)), "a generator"
    )
    | whole(0, 2**32 - 1)
    | NONE
)


def shown(value: Any) -> str:
    """A value for messages, in one line: matrices and arrays have many."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 60


def refusals(rules: Mapping[str, Rule], library: str) -> str:
    """A paragraph for a class's docstring, of parameters that take less than another library's."""
    less = {name: rule for name, rule in rules.items() if rule.takes_less}
    if not less:
        return ""
    text = "; ".join(f"`{name}`, {rule.text}" for name, rule in less.items())
    text = f"Of what {library} takes, `fit` refuses by name (NotImplementedError) all but: {text}."
    return "\n\n" + textwrap.indent(textwrap.fill(text, 96), "    ") + "\n    "


def check_options(estimator: Any, rules: Mapping[str, Rule]) -> None:
    """Refuse a parameter whose value its rule does not take.

    Raises NotImplementedError for a value that scikit-learn takes and we do not, and
    InvalidParameterError (a ValueError and TypeError) for any other.
    """
    name = type(estimator).__name__
    for parameter, rule in rules.items():
        value = getattr(estimator, parameter)
        if rule.takes(value):
            continue
        if rule.refuses(value):
            raise NotImplementedError(
                f"{name}({parameter}={shown(value)}) is not supported by phalanx.ml, which takes "
                f"{rule.text}; use {estimator._library}'s {name} for it"
            )
        raise InvalidParameterError(
            f"The {parameter!r} parameter of {name} must be {rule.text}. Got {value!r} instead."
        )


def generator_of(random_state: Any) -> Any:
    """The generator of NumPy's that `random_state` means: as in scikit-learn, a RandomState.

    A Generator gives the seed of one.
    """
    if isinstance(random_state, np.random.RandomState):
        return random_state
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.integers(2**32 - 1))
    if random_state is None:
        return np.random.mtrand._rand
    return np.random.RandomState(random_state)
