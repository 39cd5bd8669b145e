"""The statements of random programs of arrays, and how often there is one of each kind."""

from __future__ import annotations

from collections.abc import Callable

import array_rules as rules
import numpy as np
from array_programs import (
    BINARY,
    MAXIMUM,
    OPERATORS,
    REDUCTIONS,
    UNARY,
    Expression,
    Program,
    Writer,
)


def _gives(writer: Writer, made: Expression | None) -> None:
    """A new variable with the value of the expression."""
    if made is None or np.size(made.value) > MAXIMUM:
        return
    name = writer.new_name()
    is_ours = "xp." in made.text or any(each in made.text for each in writer.variables())
    text = made.text if is_ours else f"xp.asarray({made.text})"
    writer.run(f"{name} = {text}", name, made)


def create(writer: Writer) -> None:
    dtype, shape = writer.dtype(), writer.shape()
    forms = [f"xp.asarray({writer.data(dtype, shape)})"] * 4
    if dtype != "bool":
        step = writer.random.choice((1, 1, 2))
        forms.append(
            f"xp.arange(0, {writer.random.randint(0, 12) * step}, {step}, dtype='{dtype}')"
        )
        forms.append(f"xp.arange({int(np.prod(shape))}, dtype='{dtype}').reshape({shape})")
    forms.append(f"xp.{writer.random.choice(('ones', 'zeros'))}({shape}, '{dtype}')")
    forms.append(f"xp.full({shape}, {writer.number(dtype)}, dtype='{dtype}')")
    if writer.arrays():
        like = writer.random.choice(writer.arrays())
        forms.append(f"xp.{writer.random.choice(('ones_like', 'zeros_like'))}({like})")
    _gives(writer, writer.evaluate(writer.random.choice(forms)))


def compute(writer: Writer) -> None:
    _gives(writer, writer.expression())


def look_through(writer: Writer) -> None:
    found = writer.array()
    if found is not None:
        _gives(writer, writer.view(found))


def rename(writer: Writer) -> None:
    found = writer.array()
    if found is not None:
        _gives(writer, found)


def copy(writer: Writer) -> None:
    found = writer.array()
    if found is not None:
        forms = ("xp.copy({})", "{}.copy()", "xp.array({})", "xp.asarray({})", "xp.tile({}, 2)")
        text = writer.random.choice(forms).format(found.text)
        _gives(writer, writer.evaluate(text, found))


def _target(writer: Writer, is_basic: bool = True) -> tuple[Expression, Expression] | None:
    """An array and those elements of it that are to be written to."""
    found = writer.array()
    if found is None:
        return None
    if writer.random.random() < 0.2:
        return found, found
    text = f"{found.text}{writer.key(found.value, is_basic)}"
    try:
        return found, writer.evaluate(text, found)
    except IndexError:
        return None


def _overlapping(writer: Writer, found: Expression, part: Expression) -> Expression | None:
    """Other elements of the same array, of the shape of `part`."""
    for _ in range(6):
        source = writer.view(found)
        if source is not None and np.shape(source.value) == np.shape(part.value):
            return source
    reverse = f"{part.text}[::-1]"
    return writer.evaluate(reverse, part) if np.ndim(part.value) and np.size(part.value) else None


def _source(writer: Writer, found: Expression, part: Expression) -> Expression | None:
    if writer.random.random() < 0.4:
        return _overlapping(writer, found, part)
    source = writer.operand(part.value)
    return writer.operation(source) if writer.random.random() < 0.3 else source


def assign(writer: Writer) -> None:
    both = _target(writer, is_basic=writer.random.random() < 0.65)
    if both is None:
        return
    found, part = both
    source = _source(writer, found, part)
    if source is not None and part is not found:
        key = writer.value_of(f"np.s_{part.text[len(found.text) :]}")
        is_mask = isinstance(key, np.ndarray) and key.dtype.kind == "b"
        if is_mask and rules.refusal("mask", [source.value, found.value], is_rounded=False):
            return
    if source is None or rules.refusal(
        "assign", [source.value, part.value], is_rounded=False, dtype=found.value.dtype
    ):
        return
    if source.is_rounded and found.value.dtype.kind not in "fc":
        return
    if not writer.is_careless and not _goes_into(source.value, part.value):
        return
    text = part.text if part is not found else f"{found.text}[...]"
    writer.run(f"{text} = {source.text}", found.text, source)


def _goes_into(source: object, target: object) -> bool:
    try:
        return np.broadcast_shapes(np.shape(source), np.shape(target)) == np.shape(target)
    except ValueError:
        return False


def update(writer: Writer) -> None:
    """An operator that writes to its left operand."""
    both = _target(writer, is_basic=writer.random.random() < 0.85)
    if both is None:
        return
    found, part = both
    source = _source(writer, found, part)
    if source is None or (source.is_rounded and found.value.dtype.kind not in "fc"):
        return
    name = writer.random.choice(OPERATORS[:3] * 3 + OPERATORS)
    made = writer.applied(name, f"({part.text} {name} {source.text})", part, source)
    if made is None:
        # What NumPy refuses; but it sees negative powers in the midst of its work.
        if not writer.is_careless or name == "**" or source.is_rounded or part.is_rounded:
            return
    elif part is not found and rules.refusal(
        "assign", [made.value, part.value], is_rounded=False, dtype=found.value.dtype
    ):
        return  # an element is no array: it is assigned what the operator gives
    rounds = rules.rounds(name, [part.value, source.value])
    writer.run(f"{part.text} {name}= {source.text}", found.text, part, source, rounds=rounds)


def count(writer: Writer) -> None:
    """An operator on a scalar, which no other variable sees."""
    names = [name for name in writer.variables() if isinstance(writer.names[name], np.generic)]
    if not names:
        return
    found = writer.known(writer.random.choice(names))
    other, name = writer.operand(1), writer.random.choice(OPERATORS)
    made = writer.applied(name, f"({found.text} {name} {other.text})", found, other)
    if made is not None:
        writer.run(f"{found.text} {name}= {other.text}", found.text, made)


def into(writer: Writer) -> None:
    """A ufunc with `out=` and perhaps `where=`."""
    both = _target(writer)
    if both is None or not isinstance(both[1].value, np.ndarray):
        return
    found, part = both
    one, other = _source(writer, found, part), _source(writer, found, part)
    if one is None or other is None:
        return
    if writer.random.random() < 0.3:
        name = writer.random.choice(UNARY)
        call, parts = f"xp.{name}({one.text}", (one,)
    else:
        name = writer.random.choice(BINARY)
        call, parts = f"xp.{name}({one.text}, {other.text}", (one, other)
    made = writer.applied(name, call + ")", *parts)
    if made is None or (made.is_rounded and part.value.dtype.kind not in "fc"):
        return
    more = f", out={part.text}"
    if writer.random.random() < 0.4:
        mask = writer.operand(part.value)
        operands = [part.value, mask.value, *(each.value for each in parts)]
        is_mask = isinstance(mask.value, np.ndarray) and mask.value.dtype == bool
        if is_mask and not rules.refusal("masked out", operands, is_rounded=False):
            more += f", where={mask.text}"
    if writer.random.random() < 0.2 and rules.fits(made.value, part.value.dtype):
        more += ", casting='unsafe'"
    rounds = rules.rounds(name, [each.value for each in parts])
    writer.run(f"{call}{more})", found.text, *parts, rounds=rounds)


def reduce(writer: Writer) -> None:
    """A reduction or a running sum, of all or along axes."""
    found = writer.operand()
    if np.ndim(found.value) == 0 and writer.random.random() < 0.8:
        return
    if writer.random.random() < 0.3:
        found = writer.operation(found) or found
    name = writer.random.choice((*REDUCTIONS, "sum", "cumsum", "cumprod"))
    rank = np.ndim(found.value)
    more = ""
    if rank and writer.random.random() < 0.7:
        axes = [str(i) for i in range(-rank, rank)]
        if rank > 1 and name not in ("argmin", "argmax", "cumsum", "cumprod"):
            axes.append("(0, 1)")
        more += f", axis={writer.random.choice(axes)}"
    if writer.random.random() < 0.25 and not name.startswith("cum"):
        more += ", keepdims=True"
    dtype = None
    if writer.random.random() < 0.2 and name in ("sum", "prod", "mean", "cumsum", "cumprod"):
        dtype = writer.dtype()
        more += f", dtype='{dtype}'"
        if rules.refusal("astype", [found.value], found.is_rounded, dtype) or found.is_rounded:
            return
    is_method = isinstance(found.value, np.ndarray) and writer.random.random() < 0.4
    text = f"{found.text}.{name}({more[2:]})" if is_method else f"xp.{name}({found.text}{more})"
    value = found.value if dtype is None else np.asarray(found.value).astype(dtype)
    made = writer.applied(name, text, found)
    if made is not None:
        made = made._replace(is_rounded=made.is_rounded or rules.rounds(name, [value]))
    _gives(writer, made)


def join(writer: Writer) -> None:
    first = writer.operand()
    second = writer.operand(first.value)
    parts = [first, second] if writer.random.random() < 0.7 else [first, second, first]
    name = writer.random.choice(("concatenate", "stack", "hstack", "vstack"))
    axis = f", axis={writer.random.randint(-1, 1)}" if name in ("concatenate", "stack") else ""
    text = f"xp.{name}([{', '.join(part.text for part in parts)}]{axis})"
    _gives(writer, writer.applied("concatenate", text, *parts))


def pick(writer: Writer) -> None:
    """A read by a mask or by positions."""
    found = writer.array()
    if found is None:
        return
    text = f"{found.text}{writer.key(found.value, is_basic=False)}"
    if writer.random.random() < 0.2:
        text = f"xp.take({found.text}, np.array([0, -1, 0]), axis=-1)"
    try:
        _gives(writer, writer.evaluate(text, found))
    except IndexError:
        return


def _mask_of(writer: Writer, target: Expression) -> str:
    kind = target.value.dtype.kind
    return f"({target.text} > 0)" if kind != "c" else f"({target.text} == 0)"


def write_otherwise(writer: Writer) -> None:
    """Methods and functions that write to their first argument."""
    found = writer.array()
    if found is None or found.is_rounded:
        return
    target = (writer.view(found) or found) if writer.random.random() < 0.5 else found
    if not isinstance(target.value, np.ndarray) or not target.value.flags.writeable:
        return
    number = writer.number(str(target.value.dtype))
    source = writer.operand(target.value)
    fits = rules.fits(source.value, target.value.dtype) and not source.is_rounded
    forms = [
        f"{target.text}.fill({number})",
        f"xp.putmask({target.text}, {target.text} == 1, {number})",
    ]
    if fits:
        mask = _mask_of(writer, target)
        forms += [f"xp.copyto({target.text}, {source.text}, casting='unsafe')"]
        forms += [f"xp.copyto({target.text}, {source.text}, where={mask}, casting='unsafe')"]
    if target.value.ndim:
        forms += [f"for row in {target.text}: row[...] = {number}"] * (target.value.ndim > 1)
        forms.append(f"{target.text}.sort()")
    if target.value.dtype.kind == "c":
        forms += [f"{target.text}.real = 3", f"{target.text}.imag = {target.text}.real"]
    if target.value.dtype.kind in "fc":
        forms.append(f"{target.text}.real[...] = 2")
    if target.value.size:
        forms.append(f"xp.put({target.text}, [0, -1], {number})")
        forms.append(f"{target.text}.flat[{target.value.size - 1}] = {number}")
    writer.run(writer.random.choice(forms), found.text)


def look(writer: Writer) -> None:
    """Computes what has been recorded."""
    found = writer.array()
    if found is None:
        return
    forms = [f"np.asarray({found.text})", f"{found.text}.tolist()", f"str({found.text})"]
    if found.value.size:
        forms.append(f"float(abs({found.text}.ravel()[0]))")
        forms.append(f"bool(({found.text} == 1).any())")
    writer.run(writer.random.choice(forms), None)


def delete(writer: Writer) -> None:
    names = writer.variables()
    if len(names) > 2:
        name = writer.random.choice(names)
        if writer.run(f"del {name}", None):
            writer.forget(name)


KINDS: dict[Callable[[Writer], None], int] = {
    create: 10, compute: 14, look_through: 14, rename: 2, copy: 3, assign: 16, update: 12, count: 2,
    into: 7, reduce: 7, join: 3, pick: 4, write_otherwise: 5, look: 8, delete: 2,
}  # fmt: skip


def program(number: int) -> Program:
    """Program `number`, the same everywhere."""
    writer = Writer(number)
    return writer.write([create, create], writer.random.randint(6, 14), KINDS)
