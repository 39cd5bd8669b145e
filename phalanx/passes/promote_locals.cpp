// Scalar replacement of aggregates (LLVM's SROA): parts of local memory that are read and written
// at places known now become variables. Structs of C, and what is passed by reference, are such
// memory once functions are inlined.
#include <algorithm>
#include <map>
#include <optional>
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

constexpr std::size_t most_parts = 128;  // of one local memory

using Users = std::unordered_map<const Operation*, std::vector<Operation*>>;

std::optional<std::int64_t> constant_of(const Operation& value) {
  const auto* number = std::get_if<std::int64_t>(&value.constant);
  return value.op == Op::constant && number != nullptr ? std::optional(*number) : std::nullopt;
}

bool is_load(const Operation& access) {
  return access.op == Op::load || access.op == Op::hinted_load || access.op == Op::array_load;
}

const Type& type_of(const Operation& access) {
  return is_load(access) ? access.type : access.operands.back()->type;
}

bool can_be_variable(const Type& type) {
  return type.is_pointer() || (type.is_scalar() && !is_complex(type.dtype()));
}

struct Part {
  std::vector<Operation*> accesses;
  std::int64_t bytes = 0;
  bool is_one_size = true;
};

// What happens to a local memory. Nothing where its address leaves, or an offset is not known.
class Accesses {
 public:
  explicit Accesses(const Users& users) : users_(users) {}

  bool find(const Operation& memory) {
    bytes_ = static_cast<std::int64_t>(ir::size_of(memory.type.element()));
    for (const std::int64_t extent : memory.shape) bytes_ *= extent;
    return follow_array(memory);
  }
  std::map<std::int64_t, Part>& parts() { return parts_; }

 private:
  const std::vector<Operation*>& users_of(const Operation& value) const {
    static const std::vector<Operation*> none;
    const auto found = users_.find(&value);
    return found == users_.end() ? none : found->second;
  }

  bool add(Operation& access, std::int64_t offset) {
    const Type& type = type_of(access);
    if (!can_be_variable(type))
      return false;
    const auto bytes = static_cast<std::int64_t>(ir::size_of(type));
    if (offset < 0 || offset + bytes > bytes_)
      return false;  // check mode has something to say of it
    Part& part = parts_[offset];
    part.is_one_size = part.is_one_size && (part.bytes == 0 || part.bytes == bytes);
    part.bytes = std::max(part.bytes, bytes);
    part.accesses.push_back(&access);
    return true;
  }

  // Nothing where an index is not known.
  static std::optional<std::int64_t> offset_of(const Operation& access, const Operation& array) {
    std::int64_t linear = 0;
    for (std::size_t d = 0; d < array.shape.size(); ++d) {
      const auto index = constant_of(*access.operands[1 + d]);
      if (!index || *index < 0 || *index >= array.shape[d])
        return std::nullopt;
      linear = linear * array.shape[d] + *index;
    }
    return linear * static_cast<std::int64_t>(ir::size_of(array.type.element()));
  }

  bool follow_array(const Operation& array) {
    return std::ranges::all_of(users_of(array), [&](Operation* user) {
      switch (user->op) {
        case Op::array_data:
          return follow_pointer(*user, 0);
        case Op::array_element:
        case Op::array_load:
        case Op::array_store: {
          const auto offset = offset_of(*user, array);
          if (!offset || user->operands[0] != &array)
            return false;
          return user->op == Op::array_element ? follow_pointer(*user, *offset)
                                               : add(*user, *offset);
        }
        default:
          return false;
      }
    });
  }

  bool follow_pointer(const Operation& pointer, std::int64_t offset) {
    return std::ranges::all_of(users_of(pointer), [&](Operation* user) {
      switch (user->op) {
        case Op::pointer_offset: {
          const auto distance = constant_of(*user->operands[1]);
          return distance && follow_pointer(*user, offset + *distance);
        }
        case Op::pointer_field: {
          const auto& fields = pointer.type.element().fields();
          const auto& field = fields.at(static_cast<std::size_t>(user->index));
          return field.shape.empty() &&
                 follow_pointer(*user, offset + static_cast<std::int64_t>(field.offset));
        }
        case Op::load:
        case Op::hinted_load:
          return add(*user, offset);
        case Op::store:
        case Op::hinted_store:
          return user->operands[1] != &pointer && add(*user, offset);
        default:
          return false;
      }
    });
  }

  const Users& users_;
  std::int64_t bytes_ = 0;
  std::map<std::int64_t, Part> parts_;  // by offset
};

class Promoter {
 public:
  explicit Promoter(Function& function) : function_(function) {}

  void run() {
    ir::for_each(function_.body, [&](Operation& operation) {
      for (const Operation* operand : operation.operands) users_[operand].push_back(&operation);
    });
    std::vector<Operation*> memories;
    ir::for_each(function_.body, [&](Operation& operation) {
      if (operation.op == Op::local_array)
        memories.push_back(&operation);
    });
    for (Operation* memory : memories) plan(*memory);
    if (!variables_.empty() || !starts_.empty())
      rewrite(function_.body);
  }

 private:
  void plan(Operation& memory) {
    Accesses accesses(users_);
    if (!accesses.find(memory) || accesses.parts().size() > most_parts)
      return;
    std::int64_t end = 0;
    auto& parts = accesses.parts();
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      const auto next = std::next(part);
      const bool overlaps_before = part->first < end;
      end = std::max(end, part->first + part->second.bytes);
      const bool overlaps_next = next != parts.end() && next->first < end;
      if (!overlaps_before && !overlaps_next && part->second.is_one_size)
        promote(memory, part->second);
    }
  }

  void promote(Operation& memory, const Part& part) {
    const Type type = type_of(*part.accesses.front());
    const auto variable = static_cast<VariableId>(function_.variables.size());
    function_.variables.push_back({memory.name, type});
    starts_[&memory].push_back(variable);
    for (const Operation* access : part.accesses) variables_[access] = variable;
  }

  void rewrite(Region& region) {
    Region result;
    ir::Builder builder(function_, result);
    for (auto& operation : region) {
      replacements_.apply(*operation);
      for (Region& nested : operation->regions) rewrite(nested);
      const auto access = variables_.find(operation.get());
      if (access == variables_.end()) {
        const auto start = starts_.find(operation.get());
        result.push_back(std::move(operation));
        if (start == starts_.end())
          continue;
        for (const VariableId variable : start->second)
          builder.set(variable, builder.undefined(function_.variables[variable].type));
        continue;
      }
      builder.at(operation->location);
      const Type& type = function_.variables[access->second].type;
      if (is_load(*operation)) {
        ir::Operation* value = builder.get(access->second);
        value->name = operation->name;
        if (type != operation->type)
          value = builder.bitcast(value, operation->type);
        replacements_.replace(std::move(operation), value);
      } else {
        ir::Operation* value = operation->operands.back();
        if (value->type != type)
          value = builder.bitcast(value, type);
        builder.set(access->second, value);
        replaced_.push_back(std::move(operation));
      }
    }
    region = std::move(result);
  }

  Function& function_;
  Users users_;
  std::unordered_map<const Operation*, VariableId> variables_;  // of accesses
  std::unordered_map<const Operation*, std::vector<VariableId>> starts_;
  Replacements replacements_;
  Region replaced_;
};

}  // namespace

void promote_locals(ir::Module& module) {
  for_each_function(module, [](Function& function) { Promoter(function).run(); });
}

}  // namespace phalanx::passes
