// The entry of a CPU function: a kernel of one thread that stores what the function returns.
#include <string>
#include <utility>

#include "phalanx/frontend/python/entry.h"
#include "phalanx/ir/abi.h"

namespace phalanx::frontend::python {
namespace {

constexpr ir::Space global = ir::Space::global;

// Stores a value part by part where ir/abi.h puts the slots of its type.
class ResultStore {
 public:
  ResultStore(Emitter& emitter, ir::Operation* target, const ir::Type& type)
      : emitter_(&emitter), target_(target), layout_(ir::layout_parameters({type})) {}

  void store(const Value& value, const ir::Type& type) {
    if (type.is_none())
      return;
    if (type.is_tuple()) {
      const auto elements = *emitter_->elements_of(value);
      for (std::size_t i = 0; i < elements.size(); ++i) store(elements[i], type.fields()[i].type);
    } else if (type.is_array()) {
      store_array(emitter_->convert(value, type), type);
    } else if (type.is_scalar()) {
      put(emitter_->convert(value, type), is_complex(type.dtype()) ? 2 : 1);
    } else {
      emitter_->fail(
          "a function cannot return " + describe(type),
          "Return numbers, arrays, or tuples of them.");
    }
  }

 private:
  void put(ir::Operation* value, std::size_t slots = 1) {
    ir::Builder& builder = emitter_->builder();
    const auto offset = static_cast<std::int64_t>(layout_.slots.at(slot_).offset);
    ir::Operation* place = builder.pointer_offset(
        target_, builder.integer(offset), ir::Type::pointer(value->type, global));
    builder.store(place, value);
    slot_ += slots;
  }

  void store_array(ir::Operation* array, const ir::Type& type) {
    ir::Builder& builder = emitter_->builder();
    put(builder.array_data(array));
    for (unsigned i = 0; i < type.ndim(); ++i) put(builder.array_shape(array, i));
    for (unsigned i = 0; i < type.ndim() && type.layout() == ir::Layout::any; ++i)
      put(builder.array_stride(array, i));
  }

  Emitter* emitter_;
  ir::Operation* target_;
  ir::ParameterLayout layout_;
  std::size_t slot_ = 0;
};

// The type of the result in the host's hands: its arrays are in ordinary memory.
ir::Type host_type(Emitter& emitter, const ir::Type& type) {
  if (type.is_array())
    return ir::Type::array(type.element(), type.ndim(), type.layout(), global, type.is_mutable());
  if (!type.is_tuple())
    return type;
  std::vector<ir::Field> fields = type.fields();
  for (ir::Field& field : fields) field.type = host_type(emitter, field.type);
  return ir::Type::named_tuple(type.name(), std::move(fields));
}

ir::Type result_type(Emitter& emitter, const Value& result) {
  const auto type = type_of(result);
  if (!type)
    emitter.fail(
        "a function cannot return " + describe(result),
        "Return numbers, arrays, or tuples of them.");
  return host_type(emitter, *type);
}

std::vector<ir::Parameter> parameters_of(
    const tree::Function& tree, const std::vector<ir::Type>& arguments) {
  std::vector<ir::Parameter> parameters;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = i < tree.parameters.size() ? tree.parameters[i].name : tree.variadic;
    // None is known now: nothing is passed.
    if (!arguments[i].is_none())
      parameters.push_back({.name = name, .type = arguments[i]});
  }
  parameters.push_back({.name = "result", .type = ir::Type::pointer(DType::uint8, global)});
  return parameters;
}

// The number of arguments that a call from the host has: those after the last parameter come as
// one tuple.
std::size_t argument_count(const tree::Function& tree) {
  return tree.parameters.size() + (tree.variadic.empty() ? 0 : 1);
}

}  // namespace
}  // namespace phalanx::frontend::python

namespace phalanx::frontend {

CompiledModule compile_function(
    const FunctionSource& function,
    const std::vector<ir::Type>& arguments,
    const Options& options) {
  python::Session session(options);
  const tree::Function& tree = *function.tree;
  const std::size_t count = python::argument_count(tree);
  // What is not given has its default, which is known now.
  const auto& defaults = function.defaults;
  if (arguments.size() > count || arguments.size() + defaults.size() < count ||
      (arguments.size() < count && !tree.variadic.empty()))
    throw TypeError(
        tree.name + "() takes " + std::to_string(count) + " arguments, and got " +
        std::to_string(arguments.size()));
  ir::Function& entry = ir::add_function(
      session.module(),
      session.unique_name(tree.name),
      ir::FunctionKind::kernel,
      python::parameters_of(tree, arguments),
      {},
      function.file);
  python::Emitter emitter(
      session, entry, python::Diagnostics(function.file, tree.name, python::CodeKind::function));
  emitter.builder().at(tree.location);
  std::vector<python::Value> values;
  std::size_t next = 0;
  for (const ir::Type& type : arguments)
    values.push_back(
        type.is_none() ? python::none_value()
                       : python::argument_value(*entry.parameters.at(next++)));
  while (values.size() < count)
    values.push_back(python::value_of(defaults[values.size() + defaults.size() - count]));
  const python::FunctionUnit unit = {
      .tree = function.tree,
      .file = function.file,
      .environment = function.environment,
      .is_entry = true};
  const python::Value result = python::call_compiled(session, emitter, unit, std::move(values));
  CompiledModule compiled;
  compiled.result = python::result_type(emitter, result);
  python::ResultStore(emitter, entry.parameters.at(next).get(), compiled.result)
      .store(result, compiled.result);
  emitter.builder().return_();
  python::remove_unused(session.module(), entry);
  compiled.function = &entry;
  compiled.warnings = session.take_warnings();
  compiled.module = session.take();
  compiled.module->result = compiled.result;
  return compiled;
}

}  // namespace phalanx::frontend
