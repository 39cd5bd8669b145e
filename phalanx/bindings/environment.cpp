// Environment over Python objects: phalanx._frontend says what an object is, this makes it an
// Entity.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/object_resolver.h"
#include "phalanx/bindings/python_tree.h"
#include "phalanx/frontend/item_function.h"

namespace nb = nanobind;

namespace phalanx::bindings {
namespace {

using namespace frontend;  // NOLINT(google-build-using-namespace): Entity and its alternatives

// One compilation's view of Python: the same object always gives the same entity.
class ObjectResolver {
 public:
  ObjectResolver() : module_(nb::module_::import_("phalanx._frontend")) {}

  Entity entity(nb::handle object);
  std::shared_ptr<FunctionReference> function(nb::handle function);
  std::shared_ptr<FunctionReference> item_function(const nb::tuple& description);
  std::shared_ptr<Scope> scope(nb::handle object, std::string text);
  nb::object attribute(nb::handle object, std::string_view name) const {
    return ask("attribute", object, name);
  }
  nb::object item(nb::handle object, std::string_view key) const {
    return ask("item", object, key);
  }
  nb::object lookup(nb::handle function, std::string_view name) const {
    return ask("lookup", function, name);
  }
  // The name most like a wrong one among an object's attributes, or a function's names.
  std::string similar(nb::handle owner, std::string_view name, const nb::list& locals) const {
    return nb::cast<std::string>(ask("similar", owner, name, locals));
  }
  nb::object read_source(nb::handle function) const { return ask("source", function); }
  // What `attribute` and `lookup` give where there is nothing.
  nb::object extension(std::string_view name) const { return ask("extension", name); }
  std::shared_ptr<Overloads> overloads(nb::handle key, Entity otherwise);
  nb::object choose(
      nb::handle key,
      const std::vector<Overloads::Argument>& arguments,
      const Overloads::Keywords& keywords) const;
  std::string advice(nb::handle key) const {
    return nb::cast<std::string>(module_.attr("advice")(key));
  }
  bool takes(nb::handle key, const ir::Type& self) const {
    return nb::cast<bool>(ask("takes", key, self));
  }
  bool is_missing(nb::handle object) const { return object.is(module_.attr("MISSING")); }

 private:
  // Python's half of the front end may run anything.
  template <typename... Arguments>
  nb::object ask(const char* function, const Arguments&... arguments) const {
    return outlive([&] { return nb::object(module_.attr(function)(arguments...)); });
  }
  Entity described(nb::handle object, const std::string& kind, const nb::tuple& description);
  Entity scalar(const nb::tuple& description) const;
  Entity tuple(const nb::tuple& description);
  Entity array(nb::handle object, const nb::tuple& description);
  Entity function_entity(const nb::tuple& description);
  static Entity external_entity(const nb::tuple& description);
  static std::vector<DeclaredSignature> signatures(nb::handle rows);

  nb::module_ module_;
  std::vector<nb::object> kept_;
  nb::dict choices_;  // of overloads, by their arguments
  std::unordered_map<PyObject*, std::shared_ptr<FunctionReference>> functions_;
  std::unordered_map<PyObject*, std::shared_ptr<Scope>> scopes_;
  std::unordered_map<PyObject*, std::shared_ptr<Overloads>> overloads_;
  std::unordered_map<PyObject*, std::shared_ptr<const ir::ConstantArray>> arrays_;
};

class PythonScope : public Scope {
 public:
  PythonScope(ObjectResolver& resolver, nb::handle object, std::string text)
      : resolver_(&resolver), object_(nb::borrow(object)), text_(std::move(text)) {}

  std::string describe() const override { return text_; }
  Entity attribute(std::string_view name) override {
    const nb::object value = resolver_->attribute(object_, name);
    return resolver_->is_missing(value) ? Entity{Missing{}} : resolver_->entity(value);
  }
  Entity item(std::string_view key) override {
    const nb::object value = resolver_->item(object_, key);
    return resolver_->is_missing(value) ? Entity{Missing{}} : resolver_->entity(value);
  }
  std::string similar(std::string_view name) override {
    return resolver_->similar(object_, name, nb::list());
  }

 private:
  ObjectResolver* resolver_;
  nb::object object_;
  std::string text_;
};

class PythonEnvironment : public Environment {
 public:
  PythonEnvironment(ObjectResolver& resolver, nb::handle function)
      : resolver_(&resolver), function_(nb::borrow(function)) {}

  Entity lookup(std::string_view name) override {
    const nb::object value = resolver_->lookup(function_, name);
    return resolver_->is_missing(value) ? Entity{Missing{}} : resolver_->entity(value);
  }
  Entity extension(std::string_view name) override {
    const nb::object key = resolver_->extension(name);
    if (resolver_->is_missing(key))
      return {Missing{}};
    return {OverloadEntity{resolver_->overloads(key, {Missing{}})}};
  }
  std::string similar(std::string_view name, const std::vector<std::string>& locals) override {
    nb::list known;
    for (const std::string& local : locals) known.append(local);
    return resolver_->similar(function_, name, known);
  }

 private:
  ObjectResolver* resolver_;
  nb::object function_;
};

class PythonOverloads : public Overloads {
 public:
  PythonOverloads(ObjectResolver& resolver, nb::handle key, Entity otherwise)
      : resolver_(&resolver), key_(nb::borrow(key)), otherwise_(std::move(otherwise)) {}

  std::string name() const override {
    return nb::cast<std::string>(nb::getattr(key_, "__name__", key_));
  }
  bool takes(const ir::Type& self) override { return resolver_->takes(key_, self); }
  Entity choose(const std::vector<Argument>& arguments, const Keywords& keywords) override {
    const nb::object chosen = resolver_->choose(key_, arguments, keywords);
    return resolver_->is_missing(chosen) ? Entity{Missing{}} : resolver_->entity(chosen);
  }
  Entity otherwise() override { return otherwise_; }
  std::string advice() override { return resolver_->advice(key_); }

 private:
  ObjectResolver* resolver_;
  nb::object key_;
  Entity otherwise_;
};

class PythonFunction : public FunctionReference {
 public:
  PythonFunction(ObjectResolver& resolver, nb::handle function)
      : resolver_(&resolver), function_(nb::borrow(function)) {}

  std::string name() const override { return nb::cast<std::string>(function_.attr("__name__")); }

  std::shared_ptr<const FunctionSource> source() override {
    if (!source_)
      source_ = read();
    return source_;
  }

 private:
  std::shared_ptr<const FunctionSource> read() {
    const nb::object found = resolver_->read_source(function_);
    auto made = std::make_shared<FunctionSource>();
    made->tree =
        function_from_ast(found.attr("node"), nb::cast<std::int64_t>(found.attr("line_shift")));
    auto file = std::make_shared<SourceFile>();
    file->path = nb::cast<std::string>(found.attr("path"));
    file->text = nb::cast<std::string>(found.attr("text"));
    file->first_line = nb::cast<std::uint32_t>(found.attr("first_line"));
    made->file = std::move(file);
    made->is_library = nb::cast<bool>(found.attr("is_library"));
    made->environment = std::make_shared<PythonEnvironment>(*resolver_, function_);
    for (const nb::handle value : nb::list(found.attr("defaults")))
      made->defaults.push_back(resolver_->entity(value));
    return made;
  }

  ObjectResolver* resolver_;
  nb::object function_;
  std::shared_ptr<const FunctionSource> source_;
};

std::shared_ptr<FunctionReference> ObjectResolver::function(nb::handle function) {
  auto& known = functions_[function.ptr()];
  if (!known)
    known = std::make_shared<PythonFunction>(*this, function);
  return known;
}

// Another view of a function, and as such another function.
class PythonItemFunction : public ItemFunction {
 public:
  PythonItemFunction(std::shared_ptr<FunctionReference> function, ItemCalls items)
      : function_(std::move(function)), items_(std::move(items)) {}

  std::string name() const override { return function_->name(); }
  std::shared_ptr<const FunctionSource> source() override { return function_->source(); }
  const ItemCalls& items() const override { return items_; }

 private:
  std::shared_ptr<FunctionReference> function_;
  ItemCalls items_;
};

// ("function", function, ..., (inputs, [(dimensions of an item, whether an array, whether it is
// written, element type)], layout, extents of its dimensions))
std::shared_ptr<FunctionReference> ObjectResolver::item_function(const nb::tuple& description) {
  const auto row = nb::cast<nb::tuple>(description[5]);
  ItemCalls items = {
      .operands = {},
      .inputs = nb::cast<std::size_t>(row[0]),
      .layout = nb::cast<std::string>(row[2]),
      .extents = nb::cast<std::vector<std::int64_t>>(row[3])};
  for (const nb::handle each : nb::list(row[1])) {
    const auto operand = nb::cast<nb::tuple>(each);
    items.operands.push_back(
        {.core = nb::cast<std::vector<std::size_t>>(operand[0]),
         .is_array = nb::cast<bool>(operand[1]),
         .is_written = nb::cast<bool>(operand[2]),
         .element = nb::cast<ir::Type>(operand[3])});
  }
  return std::make_shared<PythonItemFunction>(function(description[1]), std::move(items));
}

std::shared_ptr<Overloads> ObjectResolver::overloads(nb::handle key, Entity otherwise) {
  auto& known = overloads_[key.ptr()];
  if (!known) {
    kept_.push_back(nb::borrow(key));
    known = std::make_shared<PythonOverloads>(*this, key, std::move(otherwise));
  }
  return known;
}

namespace {

// As phalanx._frontend.extensions.choose wants an argument: a kind, and what belongs to it.
nb::tuple described_argument(const Overloads::Argument& argument) {
  if (const auto* text = std::get_if<TextEntity>(&argument.known.value))
    return nb::make_tuple("text", text->text);
  if (const auto* type = std::get_if<TypeEntity>(&argument.known.value))
    return nb::make_tuple("dtype", type->type);
  if (!argument.type)
    return nb::make_tuple("other");
  const auto* scalar = std::get_if<ScalarEntity>(&argument.known.value);
  if (scalar == nullptr)
    return nb::make_tuple("value", *argument.type);
  return std::visit(
      [&](const auto& constant) { return nb::make_tuple("literal", *argument.type, constant); },
      scalar->value);
}

}  // namespace

nb::object ObjectResolver::choose(
    nb::handle key,
    const std::vector<Overloads::Argument>& arguments,
    const Overloads::Keywords& keywords) const {
  nb::list positional;
  for (const auto& argument : arguments) positional.append(described_argument(argument));
  nb::dict named;
  for (const auto& [name, argument] : keywords) named[name.c_str()] = described_argument(argument);
  try {
    return ask("choose", choices_, key, positional, named);
  } catch (const nb::python_error& error) {
    if (!error.matches(nb::module_::import_("phalanx.errors").attr("TypingError")))
      throw;
    throw CompileError(CompileError::Kind::typing, nb::cast<std::string>(nb::str(error.value())));
  }
}

std::shared_ptr<Scope> ObjectResolver::scope(nb::handle object, std::string text) {
  auto& known = scopes_[object.ptr()];
  if (!known)
    known = std::make_shared<PythonScope>(*this, object, std::move(text));
  return known;
}

Entity ObjectResolver::scalar(const nb::tuple& description) const {
  const auto dtype = dtype_from_name(nb::cast<std::string_view>(description[1]));
  if (!dtype)
    return {UnusableEntity{"a number of an unknown type"}};
  const nb::object value = description[2];
  switch (kind_of(*dtype)) {
    case DTypeKind::boolean:
      return {ScalarEntity{*dtype, nb::cast<bool>(value)}};
    case DTypeKind::signed_integer:
      return {ScalarEntity{*dtype, nb::cast<std::int64_t>(value)}};
    case DTypeKind::unsigned_integer:
      return {ScalarEntity{*dtype, static_cast<std::int64_t>(nb::cast<std::uint64_t>(value))}};
    case DTypeKind::floating:
      return {ScalarEntity{*dtype, nb::cast<double>(value)}};
    case DTypeKind::complex_floating:
      return {ScalarEntity{*dtype, nb::cast<std::complex<double>>(value)}};
  }
  return {Missing{}};
}

Entity ObjectResolver::tuple(const nb::tuple& description) {
  TupleEntity made;
  for (const nb::handle element : nb::list(description[1]))
    made.elements.push_back(entity(element));
  made.name = nb::cast<std::string>(description[2]);
  made.field_names = nb::cast<std::vector<std::string>>(description[3]);
  return {std::move(made)};
}

Entity ObjectResolver::array(nb::handle object, const nb::tuple& description) {
  auto& known = arrays_[object.ptr()];
  if (!known) {
    auto made = std::make_shared<ir::ConstantArray>();
    made->element = nb::cast<ir::Type>(description[1]);
    made->shape = nb::cast<std::vector<std::int64_t>>(description[2]);
    const auto bytes = nb::cast<nb::bytes>(description[3]);
    made->bytes.resize(bytes.size());
    std::memcpy(made->bytes.data(), bytes.data(), bytes.size());
    known = std::move(made);
  }
  return {ArrayEntity{.identity = object.ptr(), .array = known}};
}

// ("external", symbol, whether it returns a status, signatures, whether it waits for other blocks)
Entity ObjectResolver::external_entity(const nb::tuple& description) {
  FunctionEntity made = {.function = nullptr, .signatures = signatures(description[3])};
  made.external = ExternalFunction{
      .symbol = nb::cast<std::string>(description[1]),
      .returns_status = nb::cast<bool>(description[2]),
      .is_cooperative = nb::cast<bool>(description[4])};
  return {std::move(made)};
}

Entity ObjectResolver::function_entity(const nb::tuple& description) {
  const bool is_of_items = description.size() > 5 && !description[5].is_none();
  FunctionEntity made = {
      .function = is_of_items ? item_function(description) : function(description[1]),
      .signatures = signatures(description[2])};
  if (!description[3].is_none())
    made.fast_math = FastMath(nb::cast<std::uint32_t>(description[3]));
  made.locals = local_types(description[4]);
  return {std::move(made)};
}

std::vector<DeclaredSignature> ObjectResolver::signatures(nb::handle rows) {
  std::vector<DeclaredSignature> made;
  for (const nb::handle row : nb::list(rows)) {
    const auto pair = nb::cast<nb::tuple>(row);
    DeclaredSignature signature;
    signature.arguments = nb::cast<std::vector<ir::Type>>(pair[0]);
    if (!pair[1].is_none())
      signature.result = nb::cast<ir::Type>(pair[1]);
    made.push_back(std::move(signature));
  }
  return made;
}

// Rows of phalanx._frontend.resolve.describe.
Entity ObjectResolver::described(
    nb::handle object, const std::string& kind, const nb::tuple& description) {
  const auto text = [&](std::size_t index) { return nb::cast<std::string>(description[index]); };
  if (kind == "none")
    return {NoneEntity{}};
  if (kind == "scalar")
    return scalar(description);
  if (kind == "time")
    return {TimeEntity{nb::cast<ir::Type>(description[1]), nb::cast<std::int64_t>(description[2])}};
  if (kind == "text")
    return {TextEntity{text(1)}};
  if (kind == "tuple")
    return tuple(description);
  if (kind == "array")
    return array(object, description);
  if (kind == "device_array")
    return {DeviceArrayEntity{
        .identity = object.ptr(),
        .type = nb::cast<ir::Type>(description[1]),
        .address = nb::cast<std::uint64_t>(description[2]),
        .shape = nb::cast<std::vector<std::int64_t>>(description[3]),
        .strides = nb::cast<std::vector<std::int64_t>>(description[4])}};
  if (kind == "type")
    return {TypeEntity{nb::cast<ir::Type>(description[1])}};
  if (kind == "tuple_class")
    return {TupleClassEntity{text(1), nb::cast<std::vector<std::string>>(description[2])}};
  if (kind == "intrinsic")
    return {IntrinsicEntity{text(1)}};
  if (kind == "scope")
    return {ScopeEntity{scope(object, text(1))}};
  if (kind == "function")
    return function_entity(description);
  if (kind == "overloaded") {
    Entity otherwise = {Missing{}};
    if (!description[1].is_none()) {
      const auto base = nb::cast<nb::tuple>(description[1]);
      otherwise = described(object, nb::cast<std::string>(base[0]), base);
    }
    return {OverloadEntity{overloads(object, std::move(otherwise))}};
  }
  if (kind == "external")
    return external_entity(description);
  if (kind == "exception")
    return {ExceptionEntity{text(1)}};
  return {UnusableEntity{text(1)}};
}

Entity ObjectResolver::entity(nb::handle object) {
  kept_.push_back(nb::borrow(object));
  const auto description = nb::cast<nb::tuple>(ask("describe", object));
  return described(object, nb::cast<std::string>(description[0]), description);
}

}  // namespace

std::shared_ptr<const frontend::LocalTypes> local_types(nb::handle types) {
  if (types.is_none())
    return nullptr;
  auto made = std::make_shared<frontend::LocalTypes>();
  for (const auto& [name, type] : nb::cast<nb::dict>(types))
    made->emplace(nb::cast<std::string>(name), nb::cast<ir::Type>(type));
  return made->empty() ? nullptr : made;
}

std::shared_ptr<const FunctionSource> python_function(nb::handle function) {
  const auto resolver = std::make_shared<ObjectResolver>();
  // The resolver owns all that is found through the source, and lives as long as it.
  return {resolver, resolver->function(function)->source().get()};
}

std::shared_ptr<const Entity> python_entity(nb::handle object) {
  const auto resolver = std::make_shared<ObjectResolver>();
  struct Both {
    std::shared_ptr<ObjectResolver> resolver;
    Entity entity;
  };
  const auto both = std::make_shared<Both>(Both{resolver, resolver->entity(object)});
  return {both, &both->entity};
}

}  // namespace phalanx::bindings
