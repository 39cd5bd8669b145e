#include "phalanx/infer/ufuncs.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "phalanx/base/errors.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/infer/op_column.h"

namespace phalanx::infer {
namespace {

constexpr UfuncResult result_of(ir::Rule rule) {
  switch (rule) {
    case ir::Rule::compare:
    case ir::Rule::predicate:
      return UfuncResult::truth;
    case ir::Rule::absolute:
      return UfuncResult::real;
    default:
      return UfuncResult::loop;
  }
}

// Rows without loops are no ufuncs.
constexpr std::array op_ufuncs = {
#define OP(                                                                                    \
    name, arity, rule, kinds, llvm, nv, sleef, ulp, python, module, typing, numpy, loops, doc) \
  Ufunc{numpy, arity, ir::Op::name, loops, result_of(ir::Rule::rule), doc},
#include "phalanx/ir/ops.def"
#undef OP
};

constexpr std::array further_ufuncs = {
#define ALIAS(name, of)
#define UFUNC(name, arity, op, loops, result, doc) \
  Ufunc{name, arity, op_column::op, loops, UfuncResult::result, doc},
#include "phalanx/infer/ufuncs.def"
#undef UFUNC
#undef ALIAS
};

struct Alias {
  std::string_view name;
  std::string_view of;
};

constexpr std::array aliases = {
#define UFUNC(...)
#define ALIAS(name, of) Alias{name, of},
#include "phalanx/infer/ufuncs.def"
#undef ALIAS
#undef UFUNC
};

constexpr bool has_loops(const Ufunc& row) { return !row.loops.empty(); }

constexpr auto ufunc_table = [] {
  constexpr auto made = std::ranges::count_if(op_ufuncs, has_loops);
  std::array<Ufunc, made + further_ufuncs.size() + aliases.size()> table{};
  auto next = std::ranges::copy_if(op_ufuncs, table.begin(), has_loops).out;
  next = std::ranges::copy(further_ufuncs, next).out;
  for (const Alias& alias : aliases) {
    *next = *std::ranges::find(table.begin(), next, alias.of, &Ufunc::name);
    next->name = alias.name;
    (next++)->alias_of = alias.of;
  }
  return table;
}();

// NumPy's letters; l and L are 64 bits wide.
DType dtype_of(char letter) {
  constexpr std::string_view letters = "?bhilBHILefdFD";
  constexpr std::array dtypes = {
      DType::boolean,
      DType::int8,
      DType::int16,
      DType::int32,
      DType::int64,
      DType::uint8,
      DType::uint16,
      DType::uint32,
      DType::uint64,
      DType::float16,
      DType::float32,
      DType::float64,
      DType::complex64,
      DType::complex128};
  const std::size_t at = letters.find(letter);
  PHX_ASSERT(at != std::string_view::npos);
  return dtypes.at(at);
}

bool is_inexact(DType dtype) { return is_floating(dtype) || is_complex(dtype); }

}  // namespace

const Ufunc* find_ufunc(std::string_view name) {
  const auto found = std::ranges::find(ufunc_table, name, &Ufunc::name);
  return found == ufunc_table.end() ? nullptr : &*found;
}

std::span<const Ufunc> ufuncs() { return ufunc_table; }

std::vector<DType> loops_of(const Ufunc& ufunc) {
  std::vector<DType> loops;
  std::ranges::transform(ufunc.loops, std::back_inserter(loops), dtype_of);
  return loops;
}

DType result_in(const Ufunc& ufunc, DType loop) {
  switch (ufunc.result) {
    case UfuncResult::loop:
      return loop;
    case UfuncResult::truth:
      return DType::boolean;
    case UfuncResult::real:
      return real_part_of(loop);
  }
  return loop;
}

std::optional<Typing> resolve(const Ufunc& ufunc, std::span<const DType> operands) {
  if (operands.size() != static_cast<std::size_t>(ufunc.arity))
    return std::nullopt;
  const bool mixed =
      std::ranges::any_of(operands, is_integer) && std::ranges::any_of(operands, is_inexact);
  const auto fits = [&](DType loop) {
    return std::ranges::all_of(operands, [&](DType operand) {
      return promoted(operand, loop) == loop || (mixed && is_integer(operand) && is_inexact(loop));
    });
  };
  for (const DType loop : loops_of(ufunc)) {
    if (!fits(loop))
      continue;
    Typing typing;
    std::ranges::copy(operands, typing.declared.begin());
    typing.operands.fill(loop);
    typing.result = result_in(ufunc, loop);
    typing.yields = typing.result;
    return typing;
  }
  return std::nullopt;
}

}  // namespace phalanx::infer
