// Choice of address spaces (the opposite of LLVM's InferAddressSpaces): where a local array is seen
// through a pointer of another space, local memory becomes generic. The elements of each thread's
// arrays are contiguous there, while those of the CPU device's local space are interleaved with
// other threads'.
#include <algorithm>
#include <vector>

#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Space;
using ir::Type;

namespace {

bool is_in(const Type& type, Space space) {
  return (type.is_pointer() || type.is_array()) && type.space() == space;
}

// True if a local array is seen through a pointer that may lead elsewhere too.
bool leaves_space(const Operation& operation) {
  return operation.op == Op::pointer_offset && operation.type.space() != Space::local &&
         operation.operands[0]->type.space() == Space::local;
}

Type made_generic(const Type& type) {
  if (is_in(type, Space::local))
    return type.is_pointer()
               ? Type::pointer(made_generic(type.element()), Space::generic)
               : Type::array(
                     type.element(), type.ndim(), type.layout(), Space::generic, type.is_mutable());
  if (!type.is_tuple())
    return type;
  std::vector<ir::Field> fields = type.fields();
  std::vector<Type> elements;
  for (ir::Field& field : fields) {
    field.type = made_generic(field.type);
    elements.push_back(field.type);
  }
  return type.name().empty() ? Type::tuple(std::move(elements))
                             : Type::named_tuple(type.name(), std::move(fields));
}

void make_generic(Function& function) {
  for (auto& parameter : function.parameters) parameter->type = made_generic(parameter->type);
  for (ir::Variable& variable : function.variables) variable.type = made_generic(variable.type);
  function.result = made_generic(function.result);
  ir::for_each(
      function.body, [](Operation& operation) { operation.type = made_generic(operation.type); });
}

}  // namespace

void separate_locals(ir::Module& module) {
  bool found = false;
  for_each_function(module, [&](Function& function) {
    ir::for_each(
        function.body, [&](const Operation& operation) { found |= leaves_space(operation); });
  });
  if (found)
    for_each_function(module, make_generic);
}

}  // namespace phalanx::passes
