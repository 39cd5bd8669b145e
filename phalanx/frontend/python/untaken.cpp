// Branches that a constant condition leaves out, and what their types still mean.
//
// As in Numba: a literal, global, closure variable or None, and a comparison of two of them, leave
// the branch out altogether. A condition that anything else computes (an operator, a conversion, an
// item of a tuple) is decided too, but names and results keep the type that holds the values of
// both branches. A branch that does not type is left out either way.
#include "phalanx/frontend/python/untaken.h"
#include "phalanx/base/errors.h"
#include "phalanx/frontend/python/carried.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {

bool Walker::prunes(const Value& condition) const {
  return unit_->is_library || is_prunable(condition);
}

void Walker::Untaken::emit(const std::function<void()>& emission) {
  const Checkpoint before = walker.checkpoint();
  const int depth = walker.depth_;
  const std::size_t loops = walker.loops_.size();
  ir::Region scratch;
  {
    const auto inside = walker.builder().enter(scratch);
    try {
      emission();
    } catch (const CompileError&) {
    } catch (const Untyped&) {
    }
    for (std::size_t i = before.returns; i < walker.returns_.size(); ++i) {
      const auto type = type_of(walker.returns_[i].second.value);
      if (type && !type->is_none())
        walker.untaken_returns_.push_back(*type);
    }
  }
  walker.depth_ = depth;
  walker.loops_.resize(loops);
  walker.roll_back(before);
}

Walker::Untaken::Types Walker::Untaken::types_after(
    const tree::Body& statements, const NameSet& names) {
  Types types;
  emit([&] {
    walker.body(statements);
    if (!walker.is_reachable_)
      return;
    for (const NameId name : names.members()) {
      const auto type = type_of(walker.names_[name].value);
      if (type && type->is_scalar())
        types.emplace(name, *type);
    }
  });
  return types;
}

void Walker::Untaken::widen(const Types& types) {
  for (const auto& [name, other] : types) {
    Binding& binding = walker.names_[name];
    const auto type = type_of(binding.value);
    const auto wide = type && type->is_scalar() ? infer::unify(*type, other) : std::nullopt;
    if (wide)
      binding.value = walker.emitter_.cast(binding.value, wide->dtype());
  }
}

Value Walker::Untaken::taken(
    const std::function<Value()>& branch, const std::function<Value()>& other) {
  std::optional<ir::Type> type;
  emit([&] { type = type_of(other()); });
  const Value value = branch();
  const auto own = type_of(value);
  const bool are_scalars = type && own && type->is_scalar() && own->is_scalar();
  const auto wide = are_scalars ? infer::unify(*own, *type) : std::nullopt;
  return as_computed(wide ? walker.emitter_.cast(value, wide->dtype()) : value);
}

}  // namespace phalanx::frontend::python
