"""The text in CUDA C of one reduction: partial results of parts, and what joins them.

A work item is a part of the elements of an output, or on the CPU device of a tile of neighbouring
outputs whose elements are neighbours too. With ``_joined`` 0 it maps and reduces elements, else it
reduces the partial results that as many parts of each output have left in ``_from``. The last
launch has one part for each output, and writes to the outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import cupy_kernel_code as code
from .cupy_kernel_operands import Layout

TILE = 64  # outputs of an item on the CPU device, where these lie together
LANES = 8  # sums of an item there, where its own elements lie together: one would wait for itself
PARTIAL = 128  # bytes for a partial result, whose type may be the user's


@dataclass(frozen=True)
class Expressions:
    """What the user wrote, and the type of what is reduced."""

    name: str
    map_expr: str
    reduce_expr: str
    post_map_expr: str
    identity: str
    reduce_type: str


@dataclass(frozen=True)
class Form:
    """What a reduction's text depends on beside its operands."""

    reduced: int  # dimensions
    kept: int
    outs: int  # dimensions of the outputs
    is_host: bool
    is_inner: bool  # the elements of one output lie together, not those of neighbouring outputs
    is_number: bool  # what is reduced is a number, so that several are an array
    is_narrow: bool

    @property
    def tile(self) -> int:
        """The outputs of an item."""
        return TILE if self.is_host and self.is_number and not self.is_inner else 1

    @property
    def lanes(self) -> int:
        """The sums of an item for each output."""
        return LANES if self.is_host and self.is_number and self.is_inner else 1


_FUNCTION = """typedef {type} _type_reduce;
typedef {index} IndexT;
static_assert(sizeof(_type_reduce) <= {partial}, "the type of a reduction has at most 128 bytes");
extern "C" __device__ void @name@({params}) {{
{setup}  const long long _tiles = (_outs + {tile} - 1) / {tile};
  for (long long _t = _first; _t < _last; _t += _step) {{
    const long long _part = {part};
    const long long _o = ({output}) * {tile};
    const int _n = _outs - _o < {tile} ? (int)(_outs - _o) : {tile};
    {start}
    if (_joined == 0) {{
{map}
    }} else {{
      const long long _end = _joined * (_part + 1) / _parts;
{unroll}      for (long long _p = _joined * _part / _parts; _p < _end; ++_p) {{
        {each}{{
          _type_reduce _b = *(_type_reduce*)(_from + ((_o + _u) * _joined + _p) * {partial});
          {{ {join} }}
        }}
      }}
    }}
    if (_parts == 1) {{
      for (int _u = 0; _u < _n; ++_u) {{
        _out_ind.set(_o + _u);
{elements}        _type_reduce& a = _s[_u];
        {{{post};}}
      }}
    }} else {{
      for (int _u = 0; _u < _n; ++_u)
        *(_type_reduce*)(_to + ((_o + _u) * _parts + _part) * {partial}) = _s[_u];
    }}
  }}
}}
"""


_UNROLL = "#pragma unroll 8\n"  # several loads of a thread of a GPU are on their way at once


def parameters() -> code.Signature:
    """The parameters that come before those of the operands."""
    signature = code.Signature()
    for name in ("_from", "_to"):
        signature.pointer(name)
    for name in ("_joined", "_parts", "_outs", "_size"):
        signature.number(name)
    return signature


def function(
    form: Form, expressions: Expressions, ins: Sequence[Layout], outs: Sequence[Layout]
) -> tuple[str, code.Signature]:
    """The function with its types, and its parameters."""
    signature = parameters()
    setup = _indexer("_in", form.reduced + form.kept, form, signature)
    setup += _indexer("_out", form.outs, form, signature)
    for shape, layouts in (("_in_shape", ins), ("_out_shape", outs)):
        setup += "".join(code.operand_setup(each, signature, shape) for each in layouts)
    text = _FUNCTION.format(
        type=expressions.reduce_type,
        index="int" if form.is_narrow else "long long",
        partial=PARTIAL,
        params=signature.text(),
        setup=setup,
        tile=form.tile,
        part="_t % _parts" if form.is_inner else "_t / _tiles",
        output="_t / _parts" if form.is_inner else "_t % _tiles",
        start=_start(form, expressions),
        map=_map(form, expressions, ins),
        unroll="" if form.is_host else _UNROLL,
        each="for (int _u = 0; _u < _n; ++_u) " if form.tile > 1 else "const int _u = 0; ",
        join=_joined("_s[_u]", "_b", expressions),
        elements="".join(code.element(each, "_o + _u", "_out_ind.get()") for each in outs),
        post=code.user_text(expressions.post_map_expr, f"{expressions.name}, post_map_expr"),
    )
    return text, signature


def _indexer(name: str, ndim: int, form: Form, signature: code.Signature) -> str:
    extents = [signature.number(f"{name}_extent_{k}") for k in range(ndim)]
    narrow = "true" if form.is_narrow else "false"
    return code.shape_array(f"{name}_shape", extents) + (
        f"  CIndexer<{ndim}, {narrow}> {name}_ind({name}_shape);\n"
    )


def _start(form: Form, expressions: Expressions) -> str:
    """The values to begin with. A type of the user's need not have a value by default."""
    identity = code.user_text(expressions.identity, f"{expressions.name}, identity")
    value = f"_type_reduce({identity})"
    sums = form.tile * form.lanes
    if sums == 1:
        return f"_type_reduce _s[1] = {{{value}}};"
    return f"_type_reduce _s[{sums}];\n    for (int _u = 0; _u < {sums}; ++_u) _s[_u] = {value};"


def _map(form: Form, expressions: Expressions, ins: Sequence[Layout]) -> str:
    """The loop over the elements of an item."""
    place = f"_in_ind._set<{form.reduced}, {form.reduced + form.kept}>"
    last = _one("_k", "_o", "_s[0]", form, expressions, ins)
    if not form.is_host:
        return (
            f"      {place}(_o);\n{_UNROLL}"
            f"      for (long long _k = _part; _k < _size; _k += _parts) {{\n{last}\n      }}"
        )
    head = (
        "      const long long _end = _size * (_part + 1) / _parts;\n"
        "      long long _k = _size * _part / _parts;\n"
    )
    if form.tile > 1:
        one = _one("_k", "_o + _u", "_s[_u]", form, expressions, ins)
        return (
            f"{head}      for (; _k < _end; ++_k) {{\n        for (int _u = 0; _u < _n; ++_u) {{\n"
            f"          {place}(_o + _u);\n{one}\n        }}\n      }}"
        )
    loops = f"      for (; _k < _end; ++_k) {{\n{last}\n      }}\n"
    if form.lanes > 1:
        one = _one("_k + _u", "_o", "_s[_u]", form, expressions, ins)
        loops = (
            f"      for (; _k + {LANES} <= _end; _k += {LANES}) {{\n"
            f"        for (int _u = 0; _u < {LANES}; ++_u) {{\n{one}\n        }}\n      }}\n{loops}"
            # Halves, as GCC 12 makes wrong sums of signed 8 and 16 bits of them one by one.
            f"      for (int _half = {LANES // 2}; _half > 0; _half /= 2)\n"
            f"        for (int _u = 0; _u < _half; ++_u) "
            f"{_joined('_s[_u]', '_s[_u + _half]', expressions)}\n"
        )
    return f"{head}      {place}(_o);\n{loops}"


def _one(
    k: str, o: str, into: str, form: Form, expressions: Expressions, ins: Sequence[Layout]
) -> str:
    """One element, mapped and reduced: that of index `k` among those of output `o`."""
    elements = "".join(code.element(each, "_j", "_in_ind.get()") for each in ins)
    mapped = code.user_text(expressions.map_expr, f"{expressions.name}, map_expr")
    return (
        f"{{\nconst IndexT _J = (IndexT)({k});\nconst ptrdiff_t _j = (ptrdiff_t)({k}) * _outs + "
        f"({o});\n_in_ind._set<0, {form.reduced}>({k});\n(void)_J;\n(void)_j;\n{elements}"
        f"_type_reduce _b = static_cast<_type_reduce>({mapped});\n"
        f"{_joined(into, '_b', expressions)}\n}}"
    )


def _joined(into: str, value: str, expressions: Expressions) -> str:
    """The statement that reduces two values to one; `a` and `b` are the user's names of them."""
    text = code.user_text(expressions.reduce_expr, f"{expressions.name}, reduce_expr")
    return f"{{ _type_reduce &a = {into}, &b = {value}; (void)b; {into} = ({text}); }}"
