// The functions and values of kernels that the compiler knows by name, one row each.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/emitter.h"

namespace phalanx::frontend::python {

// Arguments are in the order of the row's parameters; one that was not given is Unbound.
using Arguments = std::vector<Value>;

struct Intrinsic {
  std::string_view name;        // "cuda.grid"
  std::string_view parameters;  // "shape dtype alignment?"; ? optional, * any number more
  Value (*emit)(Emitter& emitter, const Arguments& arguments);
};

// What a name means where it is not called: cuda.threadIdx.x, cuda.warpsize.
struct IntrinsicValue {
  std::string_view name;
  Value (*emit)(Emitter& emitter);
};

// The tables, one a subject.
std::span<const Intrinsic> builtin_intrinsics();
std::span<const Intrinsic> iterable_intrinsics();
std::span<const Intrinsic> flat_intrinsics();
std::span<const Intrinsic> cuda_intrinsics();
std::span<const Intrinsic> atomic_intrinsics();
std::span<const Intrinsic> warp_intrinsics();
std::span<const Intrinsic> math_intrinsics();
std::span<const Intrinsic> array_intrinsics();
std::span<const Intrinsic> reduction_intrinsics();
std::span<const Intrinsic> random_intrinsics();
std::span<const Intrinsic> list_intrinsics();
std::span<const Intrinsic> routine_intrinsics();
std::span<const IntrinsicValue> intrinsic_values();

// Nothing when there is no such function; scalar functions of infer's table are found too.
std::optional<Value> call_intrinsic(Emitter& emitter, std::string_view name, const Call& call);
std::optional<Value> read_intrinsic(Emitter& emitter, std::string_view name);

// The type that a dtype argument names: np.float32, float, "float32".
ir::Type dtype_argument(Emitter& emitter, const Value& value);
// The number types that int, float, bool and complex mean.
std::optional<DType> dtype_of_builtin(std::string_view intrinsic);

}  // namespace phalanx::frontend::python
