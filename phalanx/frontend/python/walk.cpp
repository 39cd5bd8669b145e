#include "phalanx/frontend/python/walk.h"

#include "phalanx/frontend/python/lists.h"

namespace phalanx::frontend::python {
namespace {

CodeKind code_kind(const Session& session, const ir::Function& function) {
  if (session.options().is_function)
    return CodeKind::function;
  return function.kind == ir::FunctionKind::kernel ? CodeKind::kernel : CodeKind::device_function;
}

// Whatever is assigned to a name whose type is declared is converted to it.
Value as_declared(
    Emitter& emitter,
    const LocalTypes* locals,
    const std::string& name,
    const Value& value,
    Location where) {
  if (locals == nullptr || value.is_untyped() || value.is<Conflict>() || is_list(value))
    return value;
  const auto declared = locals->find(name);
  if (declared == locals->end() || type_of(value) == declared->second)
    return value;
  const AtLocation at(emitter.builder(), where);
  return emitter.convert(value, declared->second, "the value of " + name);
}

}  // namespace

Diagnostics diagnostics_of(
    const Session& session, const FunctionUnit& unit, const ir::Function& function) {
  return {unit.file, unit.tree->name, code_kind(session, function)};
}

Walk::Walk(Session& its_session, const FunctionUnit& its_unit, Instance& its_instance)
    : session(its_session),
      unit(its_unit),
      known_names(session.names(*unit.tree)),
      instance(its_instance),
      emitter(
          session,
          *instance.function,
          diagnostics_of(session, unit, *instance.function),
          unit.is_in_parallel_body,
          unit.is_library),
      names(known_names.locals.size()) {
  builder().set_fast_math(unit.fast_math);
  for (NameId name = known_names.flags; name < names.size() && name != 0; ++name)
    names[name].value = boolean_literal(false);
}

void Walk::bind(const std::string& name, const Value& given, Location where) {
  const Value value = as_declared(emitter, unit.locals.get(), name, given, where);
  const NameId id = *known_names.find(name);
  names.at(id) = {value, where};
  if (known_names.flags != 0)
    names.at(id + known_names.flags) = {boolean_literal(!value.is<Unbound>()), where};
  // A hint for the printer; the first name that a value gets stays.
  const auto* runtime = value.as<Runtime>();
  if (runtime != nullptr && runtime->operation->name.empty())
    runtime->operation->name = name;
}

void Walk::raise_when(const Value& condition, Raise raise) {
  if (const auto known = known_truth(condition)) {
    if (*known) {
      builder().raise(std::move(raise));
      is_reachable = false;
    }
    return;
  }
  const auto branches = builder().if_(emitter.materialize(condition));
  const auto inside = builder().enter(branches.then);
  builder().raise(std::move(raise));
}
}  // namespace phalanx::frontend::python
