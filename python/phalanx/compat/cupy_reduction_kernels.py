"""``cupy.ReductionKernel``: elements of arrays, mapped and reduced by expressions in CUDA C."""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from . import cupy_kernel_calls as calls
from . import cupy_kernel_code as code
from . import cupy_kernel_operands as operands_of
from . import cupy_reduction_plans as plans
from . import cupy_reduction_text as reduction_text
from .cupy_kernel_calls import Case, Placed
from .cupy_kernel_launching import Function
from .cupy_kernel_operands import Layout, Shape
from .cupy_kernel_params import Placeholders, check_name, operand, parameters, resolve
from .cupy_kernel_text import C_TYPES
from .cupy_reduction_plans import Axes, Plan
from .cupy_reduction_text import Expressions, Form


class ReductionKernel(calls.CachedCodes):
    """A kernel that maps the elements of its operands, and reduces what comes of them.

    `map_expr` makes a value of the operands' elements, `reduce_expr` one of two, which are `a` and
    `b`, and `post_map_expr` assigns the result `a` to the outputs. The values are of `reduce_type`,
    that of the first output unless given, and begin with `identity`. The order is open: the
    expression has to be associative and commutative. Any dtype of numbers will do.

    Raises `ValueError` for a name that is none in C and for wrong parameters, `TypeError` for
    unknown types.
    """

    def __init__(
        self,
        in_params: str,
        out_params: str,
        map_expr: str,
        reduce_expr: str,
        post_map_expr: str,
        identity: Any,
        name: str = "reduce_kernel",
        reduce_type: str | None = None,
        reduce_dims: bool = True,
        preamble: str = "",
        options: Any = (),
    ) -> None:
        check_name(name)
        self.in_params = parameters(in_params, True)
        self.out_params = parameters(out_params, False)
        if not self.out_params:
            raise ValueError(f"{name} has no output: out_params declares one, such as 'T y'")
        self.params = (*self.in_params, *self.out_params)
        self.nin, self.nout = len(self.in_params), len(self.out_params)
        self.nargs = self.nin + self.nout
        self.map_expr, self.reduce_expr, self.post_map_expr = map_expr, reduce_expr, post_map_expr
        self.identity = "" if identity is None else str(identity)
        self.name = self.__name__ = name
        self.reduce_type = self.out_params[0].ctype if reduce_type is None else reduce_type
        self.reduce_dims = reduce_dims
        self.preamble, self.options = preamble, options
        self._cached_codes = {}
        self._cases: dict[Any, tuple[Case[Plan], Axes]] = {}
        self._functions: dict[Any, Function] = {}
        self._lock = threading.Lock()

    def __call__(
        self,
        *args: Any,
        out: Any = None,
        axis: Any = None,
        keepdims: bool = False,
        stream: Any = None,
    ) -> Any:
        """Reduces along `axis`, an int, a tuple or all; gives the first output.

        `args` are the operands, or operands and outputs; `out` is the output of a kernel that has
        one. Arrays are used in order on the default stream of their device, whatever `stream` is.

        Raises `TypeError` for a wrong number of arguments or wrong dtypes, `ValueError` for shapes
        that do not fit and for no elements without an identity, `numpy.exceptions.AxisError` for an
        axis that is not there, `NotImplementedError` for raw operands unless the first axes are
        reduced, and the errors of `ElementwiseKernel` for what does not compile.
        """
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(
                f"Wrong number of arguments for {self.name}: it takes {self.nin}, or {self.nargs} "
                f"with outputs, but given {len(args)}"
            )
        if out is not None:
            args = (*args, self._only_output(out, len(args)))
        given = [operand(each) for each in args]
        case, axes = self._case(given, axis, keepdims)
        device = operands_of.device_of(given)
        ins, outs = given[: self.nin], given[self.nin :]
        outs = calls.output_arrays(case, outs, self.out_params, False, device)
        if 0 in case.shape:
            return outs[0]
        if 0 in axes.shape and not self.identity:
            raise ValueError(
                f"zero-size array to reduction operation {self.name} which has no identity"
            )
        arguments = Placed(self.params, [*ins, *outs], device)
        types = (*case.in_types, *case.out_types)
        key = (arguments.strides, device.is_host)
        plan = case.plans.get(key)
        if plan is None:
            made = self._plan(case, axes, arguments, device.is_host)
            plan = calls.remember(case.plans, key, made)
        numbers = [*plan.shapes, *arguments.numbers(types, plan.passed)]
        plans.run(plan, device, arguments.pointers(), numbers)
        return outs[0]

    def _only_output(self, out: Any, count: int) -> Any:
        if self.nout != 1:
            raise NotImplementedError(f"{self.name} has {self.nout} outputs: pass them by position")
        if count != self.nin:
            raise ValueError("cannot specify 'out' as both a positional and keyword argument")
        return out

    def _case(self, given: list[Any], axis: Any, keepdims: bool) -> tuple[Case[Plan], Axes]:
        axis = tuple(axis) if isinstance(axis, list) else axis
        key = (calls.key_of(given), axis, bool(keepdims))
        found = self._cases.get(key)
        if found is not None:
            return found
        ins, outs = given[: self.nin], given[self.nin :]
        shape = operands_of.loop_shape(self.in_params, ins, None)
        types = resolve(self.in_params, self.out_params, ins, outs)
        axes = self._axes(axis, shape)
        kept = axes.order[axes.reduced :]
        out_shape = tuple(shape[k] for k in kept)
        if keepdims:
            out_shape = tuple(n if k in kept else 1 for k, n in enumerate(shape))
        made = (Case[Plan](out_shape, *types), axes)
        calls.remember(self._cases, key, made)
        return made

    def _axes(self, axis: Any, shape: Shape) -> Axes:
        ndim = len(shape)
        given = range(ndim) if axis is None else axis
        axes = np.lib.array_utils.normalize_axis_tuple(given, ndim, "axis")
        order = (*sorted(axes), *(k for k in range(ndim) if k not in axes))
        if order != tuple(range(ndim)) and any(each.raw for each in self.params):
            raise NotImplementedError(
                f"{self.name} has raw operands, so the axes that it reduces come first: "
                f"axis={tuple(range(len(axes)))}, not {axis}"
            )
        return Axes(order, len(axes), shape)

    def _plan(self, case: Case[Plan], axes: Axes, arguments: Placed, is_host: bool) -> Plan:
        operands = arguments.operands(self.params, (*case.in_types, *case.out_types))
        planning = plans.Planning(operands, self.nin, self.reduce_dims, self._item(case))
        function_for = functools.partial(self._function, case.placeholders)
        return planning.plan(axes, is_host, function_for)

    def _item(self, case: Case[Plan]) -> int:
        """The bytes of a value that is reduced: of a type of the user's the most it may have."""
        known = {letter: dtype.itemsize for letter, dtype in case.placeholders}
        for name, c_type in C_TYPES.items():
            known[name] = known[c_type] = np.dtype(name).itemsize
        return int(known.get(self.reduce_type, reduction_text.PARTIAL))

    def _function(
        self, placeholders: Placeholders, form: Form, layouts: tuple[Layout, ...]
    ) -> Function:
        key = (form, layouts, placeholders)
        with self._lock:
            found = self._functions.get(key)
            if found is None:
                found = self._functions[key] = self._make(form, layouts, placeholders)
                self._keep_code(layouts, found)
        return found

    def _make(
        self, form: Form, layouts: tuple[Layout, ...], placeholders: Placeholders
    ) -> Function:
        expressions = Expressions(
            self.name,
            self.map_expr,
            self.reduce_expr,
            self.post_map_expr,
            self.identity,
            self.reduce_type,
        )
        ins, outs = layouts[: self.nin], layouts[self.nin :]
        body, _ = reduction_text.function(form, expressions, ins, outs)
        own = code.declarations(placeholders, self.preamble, self.name) + body
        text = code.assembled(own)
        return Function(self.name, text, self.options)
