// Calls of the runtime's routines, from the library in Python: phalanx.routine("sort", a, len(a)).
#include "phalanx/frontend/python/routines.h"

#include <array>

#include "phalanx/base/routines.h"
#include "phalanx/frontend/python/intrinsics.h"

namespace phalanx::frontend::python {

Value call_routine(
    Emitter& emitter,
    const std::string& name,
    DType dtype,
    const std::vector<ir::Operation*>& arguments) {
  const std::string symbol =
      std::string(routine_prefix) + name + "." + std::string(info(dtype).name);
  ir::Module& module = emitter.session().module();
  ir::Function* callee = module.find(symbol);
  if (callee == nullptr) {
    std::vector<ir::Parameter> parameters;
    for (const ir::Operation* argument : arguments)
      parameters.push_back({.name = "", .type = argument->type});
    callee = &ir::add_function(
        module,
        emitter.session().unique_name(symbol),
        ir::FunctionKind::external,
        std::move(parameters),
        DType::int64);
  }
  return emitter.builder().call(*callee, arguments);
}

namespace {

// Arrays are passed as pointers to their first elements, which lie together; numbers as i64.
ir::Operation* passed(Emitter& emitter, const Value& argument) {
  const auto type = type_of(argument);
  if (!type || !type->is_array())
    return emitter.convert(argument, DType::int64, "an argument of a routine");
  if (type->layout() == ir::Layout::any && type->ndim() != 0)
    emitter.fail("a routine takes arrays whose elements lie together, found " + describe(*type));
  return emitter.builder().array_data(emitter.materialize(argument));
}

Value routine(Emitter& emitter, const Arguments& arguments) {
  const auto* name = arguments[0].as<TextEntity>();
  const auto first = type_of(arguments[1]);
  if (name == nullptr || !first || !first->is_array() || !first->element().is_scalar())
    emitter.fail("a routine is called by its name, with an array of numbers first");
  if (!emitter.session().options().is_function)
    emitter.fail(name->text + " exists in CPU functions only");
  std::vector<ir::Operation*> values;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    values.push_back(passed(emitter, arguments[i]));
  return call_routine(emitter, name->text, first->element().dtype(), values);
}

constexpr std::array table = {
    Intrinsic{"phalanx.routine", "name first *", routine},
};

}  // namespace

std::span<const Intrinsic> routine_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
