// The operations of the IR and what the tables say of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace phalanx::ir {

enum class Op : std::uint8_t {
#define OP(name, ...) name,
#include "phalanx/ir/ops.def"
#undef OP
#define STRUCTURE_OP(name, ...) name,
#include "phalanx/ir/structure_ops.def"
};

// What the types and the behaviour of an elementwise operation are like (the head of ops.def).
enum class Rule : std::uint8_t {
  arithmetic,
  true_divide,
  floor_divide,
  power,
  sign,
  absolute,
  bitwise,
  shift,
  compare,
  logical,
  select,
  float_math,
  ldexp,
  predicate,
  bits,
};

struct OpInfo {
  std::string_view name;
  int arity;
  Rule rule;
  std::string_view kinds;
  std::string_view llvm;
  std::string_view nv;
  std::string_view sleef;
  std::string_view python;
  std::string_view numpy;
  std::string_view doc;
};

inline constexpr std::array op_table = {
#define OP(                                                                                    \
    name, arity, rule, kinds, llvm, nv, sleef, ulp, python, module, typing, numpy, loops, doc) \
  OpInfo{#name, arity, Rule::rule, kinds, llvm, nv, sleef, python, numpy, doc},
#include "phalanx/ir/ops.def"
#undef OP
};

// What is alike in operations that are not elementwise, and which attribute they have: columns of
// structure_ops.def.
enum class OpFamily : std::uint8_t {
  parameter,
  value,
  conversion,
  variable,
  aggregate,
  view,
  access,
  allocation,
  launch_memory,
  pointer,
  memory,
  atomic,
  thread,
  warp,
  hinted,
  assembly,
  library,
  call,
  parallel,
  random,
  control,
  texture,
};

// The last ones are the types of a detail.
enum class Attribute : std::uint8_t {
  none,
  constant,
  index,
  variable,
  text,
  shape,
  callee,
  Report,        // NOLINT(readability-identifier-naming)
  Raise,         // NOLINT(readability-identifier-naming)
  LaunchMemory,  // NOLINT(readability-identifier-naming)
#define KINDS(type, ...) type,
#include "phalanx/ir/structure_ops.def"
};

struct StructureOpInfo {
  std::string_view name;  // as printed: `if_` is "if"
  bool yields;
  bool pure;
  OpFamily family;
  Attribute attribute;
  std::string_view doc;
};

namespace detail {
constexpr std::string_view without_underscore(std::string_view name) {
  if (name.ends_with('_'))
    name.remove_suffix(1);
  return name;
}
}  // namespace detail

inline constexpr std::array structure_op_table = {
#define STRUCTURE_OP(name, yields, pure, family, attribute, doc) \
  StructureOpInfo{                                               \
      detail::without_underscore(#name),                         \
      yields,                                                    \
      pure,                                                      \
      OpFamily::family,                                          \
      Attribute::attribute,                                      \
      doc},
#include "phalanx/ir/structure_ops.def"
};

constexpr bool is_elementwise(Op op) { return static_cast<std::size_t>(op) < op_table.size(); }

// For elementwise operations only.
constexpr const OpInfo& info(Op op) { return op_table.at(static_cast<std::size_t>(op)); }
// For the others only.
constexpr const StructureOpInfo& structure_info(Op op) {
  return structure_op_table.at(static_cast<std::size_t>(op) - op_table.size());
}

// The value follows from operands and attributes alone, wherever and however often it is computed.
constexpr bool is_pure(Op op) { return is_elementwise(op) || structure_info(op).pure; }

constexpr bool is_of(OpFamily family, Op op) {
  return !is_elementwise(op) && structure_info(op).family == family;
}

constexpr std::string_view name_of(Op op) {
  return is_elementwise(op) ? info(op).name : structure_info(op).name;
}

constexpr std::optional<Op> op_from_name(std::string_view name) {
  for (std::size_t i = 0; i < op_table.size() + structure_op_table.size(); ++i) {
    if (name_of(static_cast<Op>(i)) == name)
      return static_cast<Op>(i);
  }
  return std::nullopt;
}

static_assert(info(Op::sqrt).arity == 1);
static_assert(name_of(Op::if_) == "if");

}  // namespace phalanx::ir
