"""The text in CUDA C of one reduction: partial results of parts, and what joins them.

A part is a range of the elements of an output. Where the elements of an output lie together, each
part has a block, whose threads take neighbours and join their values in shared memory; else each
has a thread, whose neighbours have the same part of neighbouring outputs. With ``_joined`` 0 a
launch maps and reduces elements, else it reduces the partial results that as many parts of each
output have left in ``_from``. The last launch has one part for each output, and writes to the
outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import cupy_kernel_code as code
from .cupy_kernel_operands import Layout

PARTIAL = 128  # most bytes of a partial result, whose type may be the user's


@dataclass(frozen=True)
class Expressions:
    """What the user wrote, and the type of what is reduced."""

    name: str
    map_expr: str
    reduce_expr: str
    post_map_expr: str
    identity: str
    reduce_type: str

    @property
    def text(self) -> str:
        """All expressions."""
        return " ".join((self.map_expr, self.reduce_expr, self.post_map_expr, self.identity))


@dataclass(frozen=True)
class Form:
    """What a reduction's text depends on beside its operands."""

    reduced: int  # dimensions
    kept: int
    outs: int  # dimensions of the outputs
    is_inner: bool  # the elements of one output lie together, not those of neighbouring outputs
    is_narrow: bool
    is_single: bool  # there is one output
    block: int  # the threads of a block


_KERNEL = """typedef {type} _type_reduce;
typedef {index} IndexT;
static_assert(sizeof(_type_reduce) <= {partial}, "the type of a reduction has at most 128 bytes");
extern "C" __global__ void @name@({params}) {{
{setup}{head}    _type_reduce _s = {start};
    long long _whole = _size;
    if (_joined != 0) _whole = _joined;
    IndexT _k = (IndexT)(_whole * _part / _parts);
    const IndexT _end = (IndexT)(_whole * (_part + 1) / _parts);
{count}    if (_joined == 0) {{
{place_of_output}{map}
    }} else {{
{join}
    }}
{share}    if ({is_last}) {{
      if (_parts == 1) {{
{out_indices}{elements}        _type_reduce& a = _s;
        {{{post};}}
      }} else {{
        ((_type_reduce*)_to)[{place}] = _s;
      }}
    }}
{tail}}}
"""

# Blocks are as many as there are parts, or each takes several.
_INNER_HEAD = """  __shared__ __align__(16) unsigned char _memory[{block} * sizeof(_type_reduce)];
  _type_reduce* _values = (_type_reduce*)_memory;
  const int _lane = threadIdx.x;
  for (long long _t = blockIdx.x; _t < _outs * _parts; _t += gridDim.x) {{
    const IndexT _part = _t % _parts, _o = _t / _parts;
"""
# The threads that have elements.
_INNER_COUNT = "    const int _used = _end - _k < {block} ? (int)(_end - _k) : {block};\n"
_INNER_SHARE = """    _values[_lane] = _s;
    for (int _width = {block} / 2; _width > 0; _width /= 2) {{
      __syncthreads();
      if (_lane < _width && _lane + _width < _used) {{
        _type_reduce _b = _values[_lane + _width];
        {{ {join} }}
        _values[_lane] = _s;
      }}
    }}
"""
_INNER_TAIL = "    __syncthreads();\n  }\n"

_OUTER_HEAD = """  const IndexT _o = (IndexT)blockIdx.x * {block} + threadIdx.x, _part = blockIdx.y;
  if (_o < _outs) {{
"""
_OUTER_TAIL = "  }\n"


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
    """The kernel with its types, and its parameters."""
    signature = parameters()
    wide = [signature.number(f"_in_extent_{k}") for k in range(form.reduced + form.kept)]
    out = [signature.number(f"_out_extent_{k}") for k in range(form.outs)]
    in_object = code.indexer("_in_ind", wide, form.is_narrow, expressions.text)
    out_object = code.indexer("_out_ind", out, form.is_narrow, expressions.text)
    setup = in_object + out_object
    setup += "".join(code.operand_setup(each, signature) for each in (*ins, *outs))
    join = _joined("_s", "_b", expressions)
    # Neighbouring threads read neighbouring partial results too.
    partial = "_o * _joined + _k + _lane" if form.is_inner else "_k * _outs + _o"
    joining = f"_type_reduce _b = ((_type_reduce*)_from)[{partial}];\n{join}\n"
    mapping = _one(expressions, form, ins, wide, bool(in_object))
    of_output = code.indices("_kept", wide[form.reduced :], "_o", form.is_narrow)
    if in_object:
        of_output += f"_in_ind._set<{form.reduced}, {form.reduced} + {form.kept}>(_o);\n"
    out_indices = code.indices("_out", out, "_o", form.is_narrow)
    if out_object:
        out_indices += "_out_ind.set(_o);\n"
    out_index = [f"_out_{k}" for k in range(form.outs)]
    identity = code.user_text(expressions.identity, f"{expressions.name}, identity")
    shared = _INNER_SHARE.format(block=form.block, join=join)
    head = _INNER_HEAD if form.is_inner else _OUTER_HEAD
    text = _KERNEL.format(
        type=expressions.reduce_type,
        index="int" if form.is_narrow else "long long",
        partial=PARTIAL,
        params=signature.text(),
        setup=setup,
        head=head.format(block=form.block),
        count=_INNER_COUNT.format(block=form.block) if form.is_inner else "",
        start=f"_type_reduce({identity})",
        place_of_output=of_output,
        out_indices=out_indices,
        map=_loop(form, mapping),
        join=_loop(form, joining),
        share=shared if form.is_inner else "",
        is_last="_lane == 0" if form.is_inner else "true",
        elements="".join(code.element(each, "_o", out_index) for each in outs),
        post=code.user_text(expressions.post_map_expr, f"{expressions.name}, post_map_expr"),
        place="_t" if form.is_inner else "(long long)_part * _outs + _o",
        tail=_INNER_TAIL if form.is_inner else _OUTER_TAIL,
    )
    return text, signature


def _loop(form: Form, body: str) -> str:
    """The loop over a part. All threads of a block go round together, but for the last time."""
    if not form.is_inner:
        return f"#pragma unroll 4\n      for (; _k < _end; ++_k) {{\n{body}\n      }}\n"
    return (
        "#pragma unroll 4\n"
        f"      for (; _k + {form.block} <= _end; _k += {form.block}) {{\n{body}\n      }}\n"
        f"      if (_k + _lane < _end) {{\n{body}\n      }}\n"
    )


def _one(
    expressions: Expressions,
    form: Form,
    ins: Sequence[Layout],
    extents: list[str],
    has_object: bool,
) -> str:
    """One element, mapped and reduced."""
    index = [f"_reduced_{k}" for k in range(form.reduced)]
    index += [f"_kept_{k}" for k in range(form.kept)]
    lines = code.indices("_reduced", extents[: form.reduced], "_J", form.is_narrow)
    if has_object:
        lines += f"_in_ind._set<0, {form.reduced}>(_J);\n"
    lines += "".join(code.element(each, "_j", index) for each in ins)
    mapped = code.user_text(expressions.map_expr, f"{expressions.name}, map_expr")
    own = "_k + _lane" if form.is_inner else "_k"
    place = "_J" if form.is_single else "(ptrdiff_t)_J * _outs + _o"
    return (
        f"const IndexT _J = {own};\nconst ptrdiff_t _j = {place};\n"
        f"(void)_J;\n(void)_j;\n{lines}"
        f"_type_reduce _b = static_cast<_type_reduce>({mapped});\n"
        f"{_joined('_s', '_b', expressions)}"
    )


def _joined(into: str, value: str, expressions: Expressions) -> str:
    """The statement that reduces two values to one; `a` and `b` are the user's names of them."""
    text = code.user_text(expressions.reduce_expr, f"{expressions.name}, reduce_expr")
    return f"{{ _type_reduce &a = {into}, &b = {value}; (void)b; {into} = ({text}); }}"
