"""The statements of random programs of arrays, and how often there is one of each kind."""

from __future__ import annotations

from collections.abc import Callable

import array_rules as rules
import numpy as np
from array_programs import (
    AT,
    BINARY,
    OPERATORS,
    REDUCTIONS,
    UNARY,
    Expression,
    Program,
    Writer,
)

_MOST_OF_TRIANGLE = 200


def _gives(writer: Writer, made: Expression | None) -> None:
    """A new variable with the value of the expression."""
    if made is None or np.size(made.value) > writer.maximum:
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
        if not writer.is_large:
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
        forms = ("xp.copy({})", "{}.copy()", "xp.array({})", "xp.asarray({})")
        if found.value.size:  # of nothing NumPy's tile gives a view
            forms += ("xp.tile({}, 2)",)
        forms += (f"{{}}.astype('{found.value.dtype}', copy=False)",)
        text = writer.random.choice(forms).format(found.text)
        _gives(writer, writer.evaluate(text, found))


def move(writer: Writer) -> None:
    """A function that puts elements elsewhere, or changes each a little."""
    found = writer.array()
    if found is None:
        return
    name, text = writer.random.choice(
        [
            ("moved", "xp.roll({}, 1)"),
            ("moved", "xp.roll({}, (1, -1), axis=(0, -1))"),
            ("moved", "xp.repeat({}, 2)"),
            ("moved", "xp.repeat({}, 2, axis=0)"),
            ("moved", "xp.tril({})"),
            ("moved", "xp.take({}, [0, 0], axis=0)"),
            ("moved", "xp.append({}, 1)"),
            ("moved", "xp.delete({}, 0, axis=0)"),
            ("moved", "xp.pad({}, 1)"),
            ("moved", "xp.broadcast_arrays({}, 1)[0]"),
            ("moved", "xp.array({}, ndmin=3)"),
            ("-", "xp.diff({}, axis=0)"),
            ("clip", "xp.clip({}, 1, 3)"),
            ("clip", "{}.clip(max=2)"),
            ("round", "xp.round({})"),
            ("sort", "xp.sort({}, axis=0)"),
            ("sort", "xp.argsort({}, axis=-1, stable=True)"),
            ("sort", "xp.nonzero({})[0].copy()"),
            ("sort", "xp.unique({})"),
            ("sort", "xp.searchsorted(xp.arange(4), {})"),
            ("sort", "xp.count_nonzero({}, axis=0)"),
        ]
    )
    if "tril" in text and found.value.ndim == 1 and found.value.size > _MOST_OF_TRIANGLE:
        return  # whose square is made
    _gives(writer, writer.applied(name, text.format(found.text), found))


def swap(writer: Writer) -> None:
    """Two elements or rows of an array change places; rows are views, so that one is lost."""
    found = writer.array()
    if found is None or found.value.ndim == 0 or not len(found.value):
        return
    one, other = (writer.random.randrange(len(found.value)) for _ in range(2))
    name = found.text
    writer.run(f"{name}[{one}], {name}[{other}] = {name}[{other}], {name}[{one}]", name, found)


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
    if source is not None and _reads_what_it_writes(writer, found, part, source):
        return
    if source is None or rules.refusal(
        "assign", [source.value, part.value], is_rounded=False, dtype=found.value.dtype
    ):
        return
    if source.is_rounded and found.value.dtype.kind not in "fc":
        return
    if _overlaps_otherwise(part.value, source.value):
        return  # NumPy 2 reads some elements after it has written them
    # Where nothing is written, some shapes that do not fit are no error of NumPy's.
    is_careless = writer.is_careless and part.value.size != 0
    if not is_careless and not _goes_into(source.value, part.value):
        return
    text = part.text if part is not found else f"{found.text}[...]"
    writer.run(f"{text} = {source.text}", found.text, source)


def _reads_what_it_writes(
    writer: Writer, found: Expression, part: Expression, source: Expression
) -> bool:
    if part is found:
        return False
    key = writer.value_of(f"np.s_{part.text[len(found.text) :]}")
    is_mask = isinstance(key, np.ndarray) and key.dtype.kind == "b"
    values = [found.value, key, source.value]
    return is_mask and rules.refusal("mask", values, is_rounded=False) is not None


def _overlaps_otherwise(target: object, source: object) -> bool:
    both = [each for each in (target, source) if isinstance(each, np.ndarray)]
    return len(both) == 2 and both[0].strides != both[1].strides and np.may_share_memory(*both)


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
    if _reads_what_it_writes(writer, found, part, source):
        return
    name = writer.random.choice(OPERATORS[:3] * 3 + OPERATORS)
    made = writer.applied(name, f"({part.text} {name} {source.text})", part, source)
    if made is None:
        # What NumPy refuses; but it sees negative powers in the midst of its work.
        if not writer.is_careless or name == "**" or source.is_rounded or part.is_rounded:
            return
        made = source  # which has no more dimensions than what the operator would give
    if part is not found and rules.refusal(
        "assign", [made.value, part.value], is_rounded=False, dtype=found.value.dtype
    ):
        return  # an element is no array: it is assigned what the operator gives
    rounds = rules.rounds(name, [part.value, source.value])
    writer.run(f"{part.text} {name}= {source.text}", found.text, part, source, rounds=rounds)


def update_at(writer: Writer) -> None:
    """A ufunc of elements in place, in which each index counts."""
    found = writer.array()
    if found is None or found.is_rounded or not found.value.flags.writeable:
        return
    target = (writer.view(found) or found) if writer.random.random() < 0.3 else found
    if not isinstance(target.value, np.ndarray) or not target.value.flags.writeable:
        return
    key = writer.key(target.value, is_basic=False)
    try:
        part = writer.evaluate(f"{target.text}{key}", target)
    except IndexError:
        return
    where = f"np.s_{key}" if writer.random.random() < 0.5 else key[1:-1]
    if ":" in key or "," in key:
        where = f"np.s_{key}"
    if writer.random.random() < 0.15:
        name = writer.random.choice(("negative", "absolute", "square", "logical_not"))
        rounds = rules.rounds(name, [target.value])
        writer.run(f"xp.{name}.at({target.text}, {where})", found.text, rounds=rounds)
        return
    source = writer.operand(part.value)
    name = writer.random.choice(AT)
    if not _goes_into(source.value, part.value):
        return  # NumPy 2.4 reads outside of its memory: the process may end
    values = [target.value, source.value]
    if source.is_rounded or rules.refusal(f"{name}.at", [*values, part.value], is_rounded=False):
        return
    rounds = name == "multiply" or rules.rounds_at(name, values)
    writer.run(f"xp.{name}.at({target.text}, {where}, {source.text})", found.text, rounds=rounds)


def tally(writer: Writer) -> None:
    """How often there is each number, or the sum of its weights."""
    found = writer.array()
    if found is None or found.value.dtype.kind not in "iub" or found.value.dtype == np.uint64:
        return
    text = f"xp.bincount(abs(xp.asarray({found.text}).ravel() % 9))"
    if found.value.dtype.kind == "b":
        text = f"xp.bincount(xp.asarray({found.text}).ravel(), minlength=3)"
    _gives(writer, writer.applied("sort", text, found))


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
    dtype = None
    if writer.random.random() < 0.2 and name in ("sum", "prod", "mean", "cumsum", "cumprod"):
        dtype = writer.dtype()
        if found.is_rounded or rules.refusal("astype", [found.value], False, dtype):
            return
    more = _axes(writer, name, np.ndim(found.value)) + _mask(writer, name, found)
    more += [f"dtype='{dtype}'"] if dtype else []
    # Methods of NumPy's own arrays know nothing of an `out` that is ours.
    is_ours = isinstance(found.value, np.ndarray) and found.text.startswith(("v", "xp"))
    if is_ours and writer.random.random() < 0.4:
        text = f"{found.text}.{name}({', '.join(more)})"
    else:
        text = f"xp.{name}({', '.join([found.text, *more])})"
    made = writer.applied(name, text, found, dtype=dtype)
    if made is None:
        return
    value = found.value if dtype is None else np.asarray(found.value).astype(dtype)
    made = made._replace(is_rounded=made.is_rounded or rules.rounds(name, [value]))
    targets = [each for each in writer.arrays() if _takes(writer.names[each], made)]
    if targets and writer.random.random() < 0.5:
        target = writer.random.choice(targets)
        comma = "" if text.endswith("()") else ", "
        writer.run(f"{text[:-1]}{comma}out={target})", target, made)
        return
    _gives(writer, made)


def _axes(writer: Writer, name: str, rank: int) -> list[str]:
    more = []
    is_running = name in ("cumsum", "cumprod")
    if rank and writer.random.random() < 0.7:
        axes = [str(i) for i in range(-rank, rank)]
        if rank > 1 and not is_running and name not in ("argmin", "argmax"):
            axes.append("(0, 1)")
        more.append(f"axis={writer.random.choice(axes)}")
    if writer.random.random() < 0.25 and not is_running:
        more.append("keepdims=True")
    return more


def _mask(writer: Writer, name: str, found: Expression) -> list[str]:
    """A first value, and perhaps a mask of what is reduced."""
    if name not in ("sum", "max", "min", "prod") or writer.random.random() < 0.8:
        return []
    mask = writer.operand(found.value)
    is_mask = isinstance(mask.value, np.ndarray) and mask.value.dtype.kind == "b"
    is_mask = is_mask and _goes_into(mask.value, found.value)
    return ["initial=1", f"where={mask.text}"] if is_mask else ["initial=1"]


def _takes(target: np.ndarray, made: Expression) -> bool:
    """True if a result may go into the array."""
    is_like = target.dtype == made.value.dtype and target.shape == made.value.shape
    return is_like and target.flags.writeable


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
    forms.append(f"{target.text}.setflags(write=False)")
    if target.value.dtype.kind in "fc":
        forms.append(f"{target.text}.real[...] = 2")
    if target.value.size:
        forms.append(f"xp.put({target.text}, [0, -1], {number})")
        forms.append(f"xp.place({target.text}, {target.text} == 1, [{number}, {number}])")
        forms.append(f"xp.putmask({target.text}, {target.text} == 1, [{number}, {number}])")
        if fits and np.size(source.value):
            positions = writer.positions(target.value.size, 3)
            forms.append(f"xp.put({target.text}, {positions}, {source.text})")
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


def share(writer: Writer) -> None:
    """An array of NumPy's of the same memory, on the CPU device: it sees what is assigned later."""
    if writer.random.random() < 0.4:
        name = writer.new_name("h")
        dtype, shape = writer.dtype(), writer.shape()
        writer.run(f"{name} = {writer.data(dtype, shape)}", None)
        _gives(writer, writer.evaluate(f"xp.asarray({name})"))
        return
    found = writer.array()
    if found is not None and not found.is_rounded:
        name = writer.new_name("h")
        writer.run(f"{name} = np.asarray({found.text})", None)


def delete(writer: Writer) -> None:
    names = writer.variables()
    if len(names) > 2:
        name = writer.random.choice(names)
        if writer.run(f"del {name}", None):
            writer.forget(name)


KINDS: dict[Callable[[Writer], None], int] = {
    create: 10, compute: 14, look_through: 14, rename: 2, copy: 3, move: 5, swap: 2, assign: 16,
    update: 12, update_at: 6, tally: 1, count: 2, into: 7, reduce: 7, join: 3, pick: 4,
    write_otherwise: 6, look: 8, share: 3, delete: 2,
}  # fmt: skip


def program(number: int) -> Program:
    """Program `number`, the same everywhere."""
    writer = Writer(number, is_large=number % 20 == 19)
    return writer.write([create, create], writer.random.randint(6, 14), KINDS)
