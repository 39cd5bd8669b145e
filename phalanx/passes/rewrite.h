// Small helpers of the passes: one value replaced by another, variables in use.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {
class Builder;
}

namespace phalanx::passes {

// Values that replace others. A pass walks forward, so that operands are seen after the
// operations that made them, and applies what it has found so far.
class Replacements {
 public:
  void replace(const ir::Operation* old, ir::Operation* with) { map_[old] = resolved(with); }
  // The operation leaves its region too. It lives on here: its address must not be used again.
  void replace(std::unique_ptr<ir::Operation> old, ir::Operation* with) {
    replace(old.get(), with);
    removed_.push_back(std::move(old));
  }
  ir::Operation* resolved(ir::Operation* value) const {
    const auto found = map_.find(value);
    return found == map_.end() ? value : found->second;
  }
  void apply(ir::Operation& operation) const {
    for (ir::Operation*& operand : operation.operands) operand = resolved(operand);
  }
  bool is_empty() const { return map_.empty(); }

 private:
  std::unordered_map<const ir::Operation*, ir::Operation*> map_;
  ir::Region removed_;
};

// Makes the operation a constant of its own type, in place.
void become_constant(ir::Operation& operation, const ir::Constant& value);

// Deletes what is after the operation at `last`: control does not get there.
inline void truncate_after(ir::Region& region, std::size_t last) { region.resize(last + 1); }

// Moves the operations of `from` into `into`, before position `at`.
void splice(ir::Region& into, std::size_t at, ir::Region&& from);

// Appends a loop over the positions from 0 to `count` - 1, an i64 each.
void append_loop(
    ir::Builder& builder, std::int64_t count, const std::function<void(ir::Operation*)>& body);

// True if there is such an operation in the region, or in one nested there.
bool holds(const ir::Region& region, ir::Op op);

// The variables that operations of the region set, nested ones too, as a flag for each variable.
void mark_set(const ir::Region& region, std::vector<bool>& is_set);

// Gives each operation of a region, and of those nested in it, to `before` and, when what is nested
// in it was given, to `after`: with a region for what is to go before it, or behind it.
template <typename Before, typename After>
void rewrite_around(ir::Region& region, const Before& before, const After& after) {
  ir::Region result;
  result.reserve(region.size());
  for (auto& operation : region) {
    before(*operation, result);
    for (ir::Region& nested : operation->regions) rewrite_around(nested, before, after);
    result.push_back(std::move(operation));
    after(*result.back(), result);
  }
  region = std::move(result);
}

// Gives every function to `run`.
template <typename Run>
void for_each_function(ir::Module& module, const Run& run) {
  for (auto& function : module.functions) run(*function);
}

}  // namespace phalanx::passes
