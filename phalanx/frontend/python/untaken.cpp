// Branches that a constant condition leaves out, and what their types still mean.
//
// As in Numba: a literal, global, closure variable or None, and a comparison of two of them, leave
// the branch out altogether. A condition that anything else computes (an operator, a conversion, an
// item of a tuple) is decided too, but names and results keep the type that holds the values of
// both branches. A branch that does not type is left out either way.
#include "phalanx/base/errors.h"
#include "phalanx/frontend/python/carried.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {

bool Walker::prunes(const Value& condition) const {
  return unit_->is_library || is_prunable(condition);
}

void Walker::emit_untaken(const std::function<void()>& emission) {
  const Checkpoint before = checkpoint();
  const int depth = depth_;
  const std::size_t loops = loops_.size();
  ir::Region scratch;
  {
    const auto inside = builder().enter(scratch);
    try {
      emission();
    } catch (const CompileError&) {
    } catch (const Untyped&) {
    }
    for (std::size_t i = before.returns; i < returns_.size(); ++i) {
      const auto type = type_of(returns_[i].second.value);
      if (type && !type->is_none())
        untaken_returns_.push_back(*type);
    }
  }
  depth_ = depth;
  loops_.resize(loops);
  roll_back(before);
}

Walker::NameTypes Walker::types_after_untaken(const tree::Body& statements, const NameSet& names) {
  NameTypes types;
  emit_untaken([&] {
    body(statements);
    if (!is_reachable_)
      return;
    for (const NameId name : names.members()) {
      const auto type = type_of(names_[name].value);
      if (type && type->is_scalar())
        types.emplace(name, *type);
    }
  });
  return types;
}

void Walker::widen_names(const NameTypes& types) {
  for (const auto& [name, other] : types) {
    Binding& binding = names_[name];
    const auto type = type_of(binding.value);
    const auto wide = type && type->is_scalar() ? infer::unify(*type, other) : std::nullopt;
    if (wide)
      binding.value = emitter_.cast(binding.value, wide->dtype());
  }
}

Value Walker::taken(const std::function<Value()>& branch, const std::function<Value()>& other) {
  std::optional<ir::Type> type;
  emit_untaken([&] { type = type_of(other()); });
  const Value value = branch();
  const auto own = type_of(value);
  const bool are_scalars = type && own && type->is_scalar() && own->is_scalar();
  const auto wide = are_scalars ? infer::unify(*own, *type) : std::nullopt;
  return as_computed(wide ? emitter_.cast(value, wide->dtype()) : value);
}

}  // namespace phalanx::frontend::python
