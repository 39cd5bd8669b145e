// Widening of induction variables (LLVM's IndVarSimplify): integers of 32 bits that become indices,
// and whose arithmetic does not wrap, as C says of int, are computed in the 64 bits that indices
// have, so that what is known of them survives the conversion.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "phalanx/ir/builder.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Type;
using ir::VariableId;

namespace {

constexpr unsigned deepest = 4;  // operations between a comparison and an index, or a sum's start

bool is_of_32_bits(const Type& type) {
  return type == Type(DType::int32) || type == Type(DType::uint32);
}

// As a size_t too: of an int, that is its bits in i64.
bool becomes_index(const Operation& operation) {
  const bool is_wide =
      operation.type == Type(DType::int64) || operation.type == Type(DType::uint64);
  return operation.op == Op::cast && is_wide && is_of_32_bits(operation.operands[0]->type);
}

bool is_comparison(const Operation& operation) {
  return ir::is_elementwise(operation.op) && ir::info(operation.op).rule == ir::Rule::compare &&
         is_of_32_bits(operation.operands[0]->type);
}

bool is_order_of_u64(const Operation& operation) {
  switch (operation.op) {
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return operation.operands[0]->type == Type(DType::uint64);
    default:
      return false;
  }
}

// Of unsigned numbers, what is marked is below 2^31 too.
bool is_sum(const Operation& value) {
  return value.no_wrap && (value.op == Op::add || value.op == Op::subtract ||
                           value.op == Op::multiply || value.op == Op::negative);
}

bool is_power_of_two(const Operation& value) {
  const auto* number = std::get_if<std::int64_t>(&value.constant);
  return value.op == Op::constant && number != nullptr && *number > 0 &&
         std::has_single_bit(static_cast<std::uint64_t>(*number));
}

// What gives the same number in 64 bits as in 32.
bool is_of_bits(const Operation& value) {
  switch (value.op) {
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
    case Op::right_shift:
      return true;
    case Op::floor_divide:
    case Op::remainder:
    case Op::trunc_divide:
    case Op::trunc_remainder:
      return is_power_of_two(*value.operands[1]);  // others are slower in 64 bits
    default:
      return false;
  }
}

bool is_position(const Operation& value) {
  return value.op == Op::cast && value.no_wrap && value.operands[0]->type == Type(DType::int64);
}

// int and unsigned say the same of it, whatever the variables are.
bool is_natural_alone(const Operation& value) {
  const bool is_unsigned = value.type == Type(DType::uint32);
  const auto* number = std::get_if<std::int64_t>(&value.constant);
  const bool is_small = value.op == Op::constant && number != nullptr && *number >= 0 &&
                        *number <= std::numeric_limits<std::int32_t>::max();
  return is_small || is_position(value) || (is_unsigned && is_sum(value)) ||
         value.op == Op::thread_index || value.op == Op::block_index ||
         value.op == Op::block_extent || value.op == Op::grid_extent || value.op == Op::lane_index;
}

bool changes_sign_only(const Operation& value) {
  return value.op == Op::cast && is_of_32_bits(value.type) &&
         is_of_32_bits(value.operands[0]->type);
}

// Of a counter that wraps, the wide form is a conversion in each pass: it says no more than one
// where the index is used.
bool wraps(const Operation& value) {
  return value.type == Type(DType::uint32) && !value.no_wrap &&
         (value.op == Op::add || value.op == Op::subtract || value.op == Op::multiply);
}

class Widener {
 public:
  explicit Widener(Function& function) : function_(function) {}

  void run() {
    find_sets();
    find_naturals();
    ir::for_each(function_.body, [&](Operation& operation) {
      if (becomes_index(operation))
        demand(*operation.operands[0]);
    });
    if (demanded_.empty())
      return;
    ir::for_each(function_.body, [&](Operation& operation) {
      if (is_comparison(operation) && std::ranges::any_of(operation.operands, [&](Operation* each) {
            return is_of_demanded(*each, 0);
          })) {
        for (Operation* operand : operation.operands) demand(*operand);
        comparisons_.insert(&operation);
      }
    });
    rewrite(function_.body);
  }

 private:
  void find_sets() {
    ir::for_each(function_.body, [&](Operation& operation) {
      if (operation.op != Op::set || !is_of_32_bits(operation.operands[0]->type))
        return;
      sets_[operation.variable].push_back(operation.operands[0]);
      const Operation* value = operation.operands[0];
      if (wraps(*value))
        wrapping_.insert(operation.variable);
      if (changes_sign_only(*value))
        value = value->operands[0];
      if (is_sum(*value) || is_position(*value) || is_of_bits(*value))
        marked_.insert(operation.variable);
    });
  }

  // Variables that are never negative: all but those that are set to what may be, until none goes.
  void find_naturals() {
    for (const auto& [variable, values] : sets_) naturals_.insert(variable);
    const auto is_set_to_other = [&](VariableId variable) {
      return std::ranges::any_of(
          sets_.at(variable), [&](const Operation* value) { return !is_natural(*value); });
    };
    while (std::erase_if(naturals_, is_set_to_other) != 0) {
    }
  }

  // int and unsigned say the same of it.
  bool is_natural(const Operation& value, unsigned depth = 0) const {
    if (is_natural_alone(value))
      return true;
    if (value.op == Op::get)
      return naturals_.contains(value.variable);
    const bool keeps_sign = changes_sign_only(value) ||
                            (is_sum(value) && (value.op == Op::add || value.op == Op::multiply));
    return keeps_sign && depth < deepest &&
           std::ranges::all_of(
               value.operands,
               [&](const Operation* operand) { return is_natural(*operand, depth + 1); });
  }

  // Values that a wide form is wanted of, and which have one of their own.
  void demand(Operation& first) {
    std::vector<Operation*> waiting = {&first};
    while (!waiting.empty()) {
      Operation& value = *waiting.back();
      waiting.pop_back();
      if (!has_form(value) || !demanded_.insert(&value).second)
        continue;
      if (value.op == Op::get) {
        if (wide_variables_.contains(value.variable))
          continue;
        wide_variables_[value.variable] = static_cast<VariableId>(function_.variables.size());
        function_.variables.push_back({function_.variables[value.variable].name, DType::int64});
        for (Operation* each : sets_[value.variable]) waiting.push_back(each);
      } else if (!is_position(value)) {
        for (Operation* operand : value.operands) waiting.push_back(operand);
      }
    }
  }

  // True if it is made of a value that a wide form is wanted of.
  bool is_of_demanded(Operation& value, unsigned depth) const {
    if (demanded_.contains(&value))
      return true;
    return depth < deepest && has_form(value) && !is_position(value) &&
           std::ranges::any_of(
               value.operands,
               [&](Operation* operand) { return is_of_demanded(*operand, depth + 1); });
  }

  bool has_form(const Operation& value) const {
    if (!is_of_32_bits(value.type))
      return false;
    if (value.op == Op::get)
      return marked_.contains(value.variable) && !wrapping_.contains(value.variable);
    if (changes_sign_only(value)) {
      const Operation& inner = *value.operands[0];
      // Through unsigned and back; or where there is no sign to lose.
      return is_natural(inner) ||
             (changes_sign_only(inner) && inner.operands[0]->type == value.type);
    }
    return is_sum(value) || is_sum_of_naturals(value) || is_position(value) || is_of_bits(value);
  }

  // As threadIdx.x + k of a counter: two numbers below 2^31, whose unsigned sum does not wrap.
  bool is_sum_of_naturals(const Operation& value) const {
    return value.op == Op::add && value.type == Type(DType::uint32) &&
           is_natural(*value.operands[0]) && is_natural(*value.operands[1]);
  }

  // In 64 bits.
  Operation* wide(Operation& value, ir::Builder& builder) {
    const auto found = wide_.find(&value);
    return found == wide_.end() ? builder.cast(&value, DType::int64) : found->second;
  }

  void add_form(Operation& value, ir::Builder& builder) {
    if (is_position(value)) {
      wide_[&value] = value.operands[0];
    } else if (value.op == Op::get) {
      wide_[&value] = builder.get(wide_variables_.at(value.variable));
    } else if (changes_sign_only(value)) {
      Operation& inner = *value.operands[0];
      wide_[&value] = wide(is_natural(inner) ? inner : *inner.operands[0], builder);
    } else {
      std::vector<Operation*> operands(value.operands.size());
      std::ranges::transform(value.operands, operands.begin(), [&](Operation* operand) {
        return wide(*operand, builder);
      });
      wide_[&value] = builder.elementwise(value.op, std::move(operands));
    }
  }

  // What a cast makes of a value with a wide form.
  Operation* converted(const Operation& cast, ir::Builder& builder) {
    Operation& narrow = *cast.operands[0];
    Operation* value = wide(narrow, builder);
    Operation* result = builder.cast(value, cast.type.dtype());
    if (result != value && is_natural(narrow))
      natural_sizes_[result] = value;
    return result;
  }

  // `index < n` where C makes a size_t of the int: the same in i64, with what n is at most there.
  void compare_signed(Operation& comparison, ir::Builder& builder) {
    const auto index = std::ranges::find_if(comparison.operands, [&](const Operation* operand) {
      return natural_sizes_.contains(operand);
    });
    if (index == comparison.operands.end())
      return;
    const auto at = static_cast<std::size_t>(index - comparison.operands.begin());
    Operation* limit = builder.cast(comparison.operands[1 - at], DType::int64);
    Operation* is_beyond = builder.elementwise(Op::less, {limit, builder.integer(0)});
    Operation* most = builder.integer(std::numeric_limits<std::int64_t>::max());
    comparison.operands[at] = natural_sizes_.at(*index);
    comparison.operands[1 - at] = builder.elementwise(Op::select, {is_beyond, most, limit});
  }

  void rewrite(Region& region) {
    Region result;
    ir::Builder builder(function_, result);
    for (auto& owned : region) {
      Operation& operation = *owned;
      builder.at(operation.location);
      replacements_.apply(operation);
      if (comparisons_.contains(&operation)) {
        for (Operation*& operand : operation.operands) operand = wide(*operand, builder);
      } else if (is_order_of_u64(operation)) {
        compare_signed(operation, builder);
      } else if (becomes_index(operation) && demanded_.contains(operation.operands[0])) {
        replacements_.replace(&operation, converted(operation, builder));
      } else if (operation.op == Op::set && wide_variables_.contains(operation.variable)) {
        Operation* value = wide(*operation.operands[0], builder);
        result.push_back(std::move(owned));
        builder.set(wide_variables_.at(operation.variable), value);
        continue;
      }
      for (Region& nested : operation.regions) rewrite(nested);
      result.push_back(std::move(owned));
      if (demanded_.contains(&operation))
        add_form(operation, builder);
    }
    region = std::move(result);
  }

  Function& function_;
  std::unordered_map<VariableId, std::vector<Operation*>> sets_;  // what they are set to
  std::unordered_set<VariableId> marked_;                         // by what does not wrap
  std::unordered_set<VariableId> naturals_;
  std::unordered_set<VariableId> wrapping_;  // counters that go on from 0 at some time
  std::unordered_map<VariableId, VariableId> wide_variables_;
  std::unordered_set<const Operation*> demanded_;
  std::unordered_set<const Operation*> comparisons_;
  std::unordered_map<const Operation*, Operation*> wide_;
  std::unordered_map<const Operation*, Operation*> natural_sizes_;  // u64, and the same as i64
  Replacements replacements_;
};

}  // namespace

void widen_indices(ir::Module& module) {
  for_each_function(module, [](Function& function) { Widener(function).run(); });
}

}  // namespace phalanx::passes
