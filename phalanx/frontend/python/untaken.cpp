// Branches that a constant condition leaves out, and what their types still mean.
//
// As in Numba: a literal, global, closure variable or None, and a comparison of two of them, leave
// the branch out altogether. A condition that anything else computes (an operator, a conversion, an
// item of a tuple) is decided too, but names and results keep the type that holds the values of
// both branches. A branch that does not type is left out either way.
#include "phalanx/frontend/python/untaken.h"

#include "phalanx/base/errors.h"
#include "phalanx/frontend/python/loops.h"
#include "phalanx/frontend/python/returns.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {

bool Untaken::prunes(const Value& condition) const {
  return walk_.unit.is_library || is_prunable(condition);
}

// Emits the branch for the types alone, and takes it back.
void Untaken::emit(const std::function<void()>& emission) {
  Loops& loops = walker_.loops();
  const Loops::Checkpoint before = loops.checkpoint();
  ir::Region scratch;
  {
    const auto inside = walk_.builder().enter(scratch);
    try {
      emission();
    } catch (const CompileError&) {
    } catch (const Untyped&) {
    }
    walker_.returns().keep_types(before.returns);
  }
  loops.roll_back(before);
}

Untaken::Types Untaken::types_after(const tree::Body& statements, const NameSet& names) {
  Types types;
  emit([&] {
    walker_.body(statements);
    if (!walk_.is_reachable)
      return;
    for (const NameId name : names.members()) {
      const auto type = type_of(walk_.names[name].value);
      if (type && type->is_scalar())
        types.emplace(name, *type);
    }
  });
  return types;
}

void Untaken::widen(const Types& types) {
  for (const auto& [name, other] : types) {
    Binding& binding = walk_.names[name];
    const auto type = type_of(binding.value);
    const auto wide = type && type->is_scalar() ? infer::unify(*type, other) : std::nullopt;
    if (wide)
      binding.value = walk_.emitter.cast(binding.value, wide->dtype());
  }
}

Value Untaken::taken(const std::function<Value()>& branch, const std::function<Value()>& other) {
  std::optional<ir::Type> type;
  emit([&] { type = type_of(other()); });
  const Value value = branch();
  const auto own = type_of(value);
  const bool are_scalars = type && own && type->is_scalar() && own->is_scalar();
  const auto wide = are_scalars ? infer::unify(*own, *type) : std::nullopt;
  return as_computed(wide ? walk_.emitter.cast(value, wide->dtype()) : value);
}

}  // namespace phalanx::frontend::python
