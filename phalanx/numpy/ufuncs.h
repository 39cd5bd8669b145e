// What NumPy's universal functions compute of numbers, as operations of the IR.
#pragma once

#include <optional>

#include "phalanx/base/export.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

// The function of operands that have the types of its loop (`typing.operands`, see infer::resolve
// and numpy::resolve); the value has the type `typing.result`. Floats of 16 bits are computed in
// float32 and rounded once. Nothing where no loop of that type is built.
PHX_API std::optional<Value> ufunc(
    ir::Builder& builder,
    const infer::Ufunc& ufunc,
    const infer::Typing& typing,
    const Values& operands);

// True if the IR's operation of the function takes the type: `ufunc` emits it alone.
PHX_API bool is_one_operation(const infer::Ufunc& ufunc, DType loop);

}  // namespace phalanx::numpy
