// The entry of a CPU function: a kernel of one thread that stores what the function returns.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "phalanx/frontend/python/entry.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/slots.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/lists.h"

namespace phalanx::frontend::python {
namespace {

constexpr ir::Space global = ir::Space::global;

// What the host makes an object of.
bool is_returnable(const ir::Type& type) {
  if (ir::is_list(type))
    return is_returnable(ir::list_element(type));
  if (type.is_tuple())
    return std::ranges::all_of(
        type.fields(), [](const ir::Field& field) { return is_returnable(field.type); });
  return type.is_none() || type.is_array() || type.is_scalar();
}

// The type of the result in the host's hands: its arrays are in ordinary memory.
ir::Type host_type(const ir::Type& type) {
  if (type.is_array())
    return ir::Type::array(type.element(), type.ndim(), type.layout(), global, type.is_mutable());
  if (!type.is_tuple())
    return type;
  std::vector<ir::Field> fields = type.fields();
  for (ir::Field& field : fields) field.type = host_type(field.type);
  return ir::Type::named_tuple(type.name(), std::move(fields));
}

ir::Type result_type(Emitter& emitter, const Value& result) {
  const auto type = type_of(result);
  if (!type || !is_returnable(*type))
    emitter.fail(
        "a function cannot return " + describe(result),
        "Return numbers, arrays, or tuples and lists of them.");
  return host_type(*type);
}

// The result in the type that the signature declares.
Value declared_result(Emitter& emitter, const Value& result, const std::optional<ir::Type>& given) {
  if (!given || (given->is_none() && result.is_none()))
    return result;
  const ir::Type own = result_type(emitter, result);
  const ir::Type declared = host_type(*given);
  const bool converts = infer::conversion(own, declared) != infer::Conversion::none ||
                        (own.is_time() && declared.is_time());
  if (!converts || own.is_none() || declared.is_none())
    emitter.fail(
        "the signature declares the result " + describe(declared) + ", and the function returns " +
            describe(own),
        "Declare the type that it returns, or the types of the arguments alone: \"(int64)\".");
  return emitter.convert(result, declared, "what is returned");
}

bool is_list_argument(const ir::Type& type) {
  return type.is_tuple() && type.name() == list_argument_name && type.fields().size() == 1 &&
         type.fields()[0].type.is_array();
}

bool holds_name(const ir::Type& type) {
  return type.is_tuple() && std::ranges::any_of(type.fields(), [](const ir::Field& field) {
           return field.type.is_none() || holds_name(field.type);
         });
}

// The parameter, whose elements may be names of functions and strings.
Value unpacked(Emitter& emitter, ir::Operation* value, Environment& environment) {
  const ir::Type& type = value->type;
  Value named = argument_value(value, environment);
  if (!holds_name(type) || !named.is<Runtime>())
    return named;
  std::vector<Value> elements;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < type.fields().size(); ++i) {
    const ir::Type& field = type.fields()[i].type;
    elements.push_back(
        field.is_none() ? none_value()
                        : unpacked(emitter, emitter.builder().tuple_get(value, i), environment));
    names.push_back(type.fields()[i].name);
  }
  TupleValue tuple = {
      .elements = std::make_shared<const std::vector<Value>>(std::move(elements)),
      .name = type.name()};
  if (!type.name().empty())
    tuple.field_names = std::make_shared<const std::vector<std::string>>(std::move(names));
  return tuple;
}

void refuse_list_within(const Emitter& emitter, const ir::Type& type) {
  for (std::size_t i = 0; type.is_tuple() && i < type.fields().size(); ++i) {
    if (is_list_argument(type.fields()[i].type))
      emitter.fail("a list within a tuple cannot be an argument", "Pass it by itself.");
    refuse_list_within(emitter, type.fields()[i].type);
  }
}

// The lists that the function was given, each made of the elements that the host passed.
class PassedLists {
 public:
  explicit PassedLists(Emitter& emitter) : emitter_(&emitter) {}

  Value add(ir::Operation& parameter) {
    ir::Builder& builder = emitter_->builder();
    ir::Operation* elements = builder.tuple_get(&parameter, 0);
    const Value address = builder.bitcast(builder.array_data(elements), DType::int64);
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      if (type_of(lists_[i]) == ir::list_of(elements->type.element()))
        alike.push_back(i);
    }
    addresses_.push_back(address);
    if (alike.empty()) {
      lists_.emplace_back(list_of_array(*emitter_, elements));
      return lists_.back();
    }
    const auto list = builder.variable("list", ir::list_of(elements->type.element()));
    choose(list, elements, alike);
    lists_.emplace_back(builder.get(list));
    return lists_.back();
  }

  const std::vector<Value>& all() const { return lists_; }

 private:
  // One that was passed before is that list.
  void choose(ir::VariableId list, ir::Operation* elements, std::span<const std::size_t> alike) {
    ir::Builder& builder = emitter_->builder();
    if (alike.empty()) {
      builder.set(list, list_of_array(*emitter_, elements));
      return;
    }
    const Value is_known =
        emitter_->compare(tree::Comparison::equal, addresses_.back(), addresses_.at(alike.front()));
    const ir::Builder::Branches branches = builder.if_(emitter_->materialize(is_known));
    {
      const auto inside = builder.enter(branches.then);
      builder.set(list, emitter_->materialize(lists_.at(alike.front())));
    }
    const auto inside = builder.enter(branches.otherwise);
    choose(list, elements, alike.subspan(1));
  }

  Emitter* emitter_;
  std::vector<Value> lists_;
  std::vector<Value> addresses_;  // of the elements on the host
};

// What the host passed, in the function's terms.
Value passed_value(
    Emitter& emitter, ir::Operation& parameter, Environment& environment, PassedLists& lists) {
  if (is_list_argument(parameter.type))
    return lists.add(parameter);
  refuse_list_within(emitter, parameter.type);
  return unpacked(emitter, &parameter, environment);
}

// The lists that the function was given, and its value after them: so they have the same positions
// whatever it is.
Value with_lists(std::vector<Value> lists, const Value& result) {
  if (lists.empty())
    return result;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < lists.size(); ++i) names.push_back("list" + std::to_string(i + 1));
  names.emplace_back("value");
  std::vector<Value> elements = std::move(lists);
  elements.push_back(result);
  return TupleValue{
      .elements = std::make_shared<const std::vector<Value>>(std::move(elements)),
      .name = std::string(ir::reflected_name),
      .field_names = std::make_shared<const std::vector<std::string>>(std::move(names))};
}

void store_lists(Emitter& emitter, ir::Operation* address, const std::vector<Value>& lists) {
  const Value all = tuple_value(lists);
  store_slots(emitter, address, *type_of(all), all);
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
  python::PassedLists lists(emitter);
  std::size_t next = 0;
  for (const ir::Type& type : arguments)
    values.push_back(
        type.is_none() ? python::none_value()
                       : python::passed_value(
                             emitter, *entry.parameters.at(next++), *function.environment, lists));
  while (values.size() < count)
    values.push_back(python::value_of(defaults[values.size() + defaults.size() - count]));
  const python::FunctionUnit unit = {
      .tree = function.tree,
      .file = function.file,
      .environment = function.environment,
      .is_entry = true,
      .locals = options.locals};
  ir::Operation* address = entry.parameters.at(next).get();
  // Where the function raises, the host reads what it left in them.
  if (!lists.all().empty())
    python::store_lists(emitter, address, lists.all());
  const python::Value own = python::call_compiled(session, emitter, unit, std::move(values));
  const python::Value value = python::declared_result(emitter, own, options.result);
  const python::Value result = python::with_lists(lists.all(), value);
  CompiledModule compiled;
  compiled.result = python::result_type(emitter, result);
  python::store_slots(emitter, address, compiled.result, result);
  emitter.builder().return_();
  python::remove_unused(session.module(), entry);
  compiled.function = &entry;
  compiled.module = session.take();
  compiled.module->result = compiled.result;
  return compiled;
}

}  // namespace phalanx::frontend
