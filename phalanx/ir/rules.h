// The verifier's rules of one operation, a method a group of operations; private to the room.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// Thrown by a rule that does not hold, and caught where the rules are asked for.
struct BrokenRule {
  std::string rule;
};

inline void require(bool holds, std::string_view rule) {
  if (!holds)
    throw BrokenRule{std::string(rule)};
}

inline bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, text) != list.end();
}

// True if a value of the type has a form in memory; see size_of.
inline bool lies_in_memory(const Type& type) {
  return type.is_scalar() || type.is_pointer() || type.is_record() || type.is_vector();
}

class Rules {
 public:
  Rules(const Module& module, const Function& function, const Operation& operation)
      : module_(module), function_(function), operation_(operation) {}

  // Throws BrokenRule.
  void check() const;

 private:
  const Type& type() const { return operation_.type; }
  const Type& type(std::size_t operand) const { return operation_.operands[operand]->type; }
  std::size_t count() const { return operation_.operands.size(); }
  void count_is(std::size_t expected) const {
    require(count() == expected, fmt::format("it has {} operands", expected));
  }
  void types_are(const Type& result, std::initializer_list<Type> operands) const;
  bool index_below(std::size_t limit) const {
    return operation_.index >= 0 && static_cast<std::uint64_t>(operation_.index) < limit;
  }
  std::size_t index() const { return static_cast<std::size_t>(operation_.index); }

  void check_elementwise() const;
  void check_structure() const;
  void check_parameter() const;
  void check_value() const;
  void check_conversion() const;
  void check_variable() const;
  void check_aggregate() const;
  void check_view() const;
  void check_access() const;
  void check_indices(std::size_t extra) const;
  void check_allocation() const;
  void check_launch_memory() const;
  void check_pointer() const;
  void check_memory() const;
  void check_atomic() const;
  void check_thread() const;
  void check_warp() const;
  void check_shared_value(std::size_t operand) const;
  void check_hinted() const;
  void check_assembly() const;
  void check_texture() const;
  void check_channels(const Type& value) const;
  void check_library() const;
  void check_call() const;
  void check_parallel() const;
  void check_random() const;
  void check_control() const;

  const Module& module_;
  const Function& function_;
  const Operation& operation_;
};

}  // namespace phalanx::ir
