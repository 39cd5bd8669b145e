// The structured IR: modules of functions of regions of operations.
//
// An operation that yields is itself the value: operands point at the operations that made them.
// A value is visible in the rest of its region and in the regions nested there; what must outlive
// a region or be changed goes through a function's typed variables (`set`, `get`).
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/base/fast_math.h"
#include "phalanx/base/source.h"
#include "phalanx/base/warning.h"
#include "phalanx/ir/detail.h"
#include "phalanx/ir/op.h"
#include "phalanx/ir/types.h"

namespace phalanx::ir {

struct Operation;
struct Function;

using Region = std::vector<std::unique_ptr<Operation>>;
using VariableId = std::uint32_t;

// A scalar constant; integers of every width and signedness are kept as their 64-bit pattern.
using Constant = std::variant<bool, std::int64_t, double, std::complex<double>>;

struct Operation {
  Op op;
  Type type;  // none if nothing is yielded
  std::vector<Operation*> operands;
  Location location;

  Constant constant = false;        // constant
  std::int64_t index = 0;           // dimension, element, levels: see structure_ops.def
  VariableId variable = 0;          // get, set
  Detail detail;                    // an atomic's kind, what is reported or raised, ...
  std::string text;                 // print's format, the name of a library's function, ...
  std::vector<std::int64_t> shape;  // shared_array, local_array
  Function* callee = nullptr;       // call, parallel
  std::vector<Region> regions;      // if_: 2, loop: 2, block: 1
  // Elementwise operations of a function that says so itself; else what the options say.
  std::optional<FastMath> fast_math;
  // Of integers: the front end knows that the exact result fits the type; of unsigned ones and of
  // casts from int64, that it is from 0 to the largest int32.
  bool no_wrap = false;

  std::string name;  // a hint for the printer, from the user's variable
};

struct Parameter {
  std::string name;
  Type type;
};

struct Variable {
  std::string name;
  Type type;
};

enum class FunctionKind : std::uint8_t {
  kernel,
  device,
  parallel_body,  // a kernel that a CPU function launches itself, by `parallel`
  exported,       // a device function for other code to call
  external,       // declared only: its code is linked in
};

inline constexpr std::array<std::string_view, 5> function_kind_names = {
    "kernel", "device", "parallel_body", "exported", "external"};

struct Function {
  std::string name;  // unique in its module
  FunctionKind kind = FunctionKind::device;
  std::vector<std::unique_ptr<Operation>> parameters;  // operations of kind Op::parameter
  Type result;                                         // none for a kernel and a parallel body
  // Exported, external: as Numba calls functions. They return 0, or the number of an error, and the
  // result goes where a further first parameter points.
  bool returns_status = false;
  std::vector<Variable> variables;
  Region body;
  std::shared_ptr<const SourceFile> source;
};

// An array fixed at compile time, row-major.
struct ConstantArray {
  Type element;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;
};

// Memory that all kernels of a module share and that outlives their launches, row-major.
struct Global {
  std::string name;  // unique among the module's
  Type element;
  std::vector<std::int64_t> shape;
  Space space = Space::global;   // or constant: written by the host only, between launches
  std::vector<std::byte> bytes;  // at first; none: zeros
};

// The bytes of its elements.
PHX_API std::size_t size_of(const Global& global);

struct PHX_API Module {
  std::vector<std::unique_ptr<Function>> functions;  // callees before or after callers, any order
  std::vector<ConstantArray> constants;
  std::vector<Global> globals = {};
  Type result;  // of a CPU function: what its kernel stores; not part of the text
  std::vector<std::shared_ptr<const SourceFile>> sources;  // that locations of inlined calls name
  std::vector<Warning> warnings = {};                      // of the front end; not part of the text

  Function* find(std::string_view name) const;  // nullptr if there is none
  std::vector<Function*> kernels() const;       // in their order
  // The one kernel or exported function; asserts that there is one.
  Function& kernel() const;
};

// True if the operation is of that kind: has_kind(operation, Vote::ballot).
template <typename One>
bool has_kind(const Operation& operation, One kind) {
  const auto* own = std::get_if<One>(&operation.detail);
  return own != nullptr && *own == kind;
}

// True if control never reaches what follows the operation (break, continue, return, raise, or an
// if both of whose branches end so).
PHX_API bool ends_flow(const Operation& operation);
PHX_API bool ends_flow(const Region& region);

// Calls visit(operation) for each operation of the region and the regions nested there, in order.
template <typename Visitor>
void for_each(Region& region, const Visitor& visit) {
  for (auto& operation : region) {
    visit(*operation);
    for (Region& nested : operation->regions) for_each(nested, visit);
  }
}
template <typename Visitor>
void for_each(const Region& region, const Visitor& visit) {
  for (const auto& operation : region) {
    visit(static_cast<const Operation&>(*operation));
    for (const Region& nested : operation->regions) for_each(nested, visit);
  }
}

}  // namespace phalanx::ir
