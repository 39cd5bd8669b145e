// Private to functions.cpp: what a function is called with, taken apart and put together again.
#pragma once

#include <bit>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

// Takes apart what a function is called with: computed numbers, arrays and pointers become
// parameters, the rest is part of the function that is compiled. `key` tells functions apart.
//
// Numbers known now are part of the function too, so that they may be shapes and decide branches;
// but not in a recursive call, which may have another number each time.
class Arguments {
 public:
  Arguments(Emitter& emitter, bool keeps_literals)
      : emitter_(&emitter), keeps_literals_(keeps_literals) {}

  void add(const Value& value) {
    if (const auto* tuple = value.as<TupleValue>()) {
      key_ += tuple->name + (tuple->list_at ? "[" : "(") + names_of(tuple->field_names.get());
      for (const Value& element : *tuple->elements) add(element);
      key_ += ")";
    } else if (const auto* function = value.as<LocalFunction>()) {
      key_ += "{" + address(function->tree.get());
      for (const Value& each : *function->defaults) add(each);
      if (function->captured)
        add(*function->captured);
      key_ += "}";
    } else if (const auto* iterable = value.as<Iterable>()) {
      key_ += "loop " + std::to_string(static_cast<int>(iterable->kind)) +
              (iterable->is_parallel ? " parallel " : " ") + to_string(iterable->type) + "(";
      for (const Value& part : *iterable->parts) add(part);
      key_ += ")";
    } else if (value.is<Literal>() && keeps_literals_) {
      key_ += literal(*value.as<Literal>()) + ";";
    } else if (value.is<Runtime>() || value.is<Literal>()) {
      const auto type = type_of(value);
      key_ += to_string(*type) + ";";
      leaves_.push_back(emitter_->materialize(value));
    } else {
      key_ += identity(value) + ";";
    }
  }

  void add(const Captures& captured) {
    for (const auto& [name, value] : captured) {
      key_ += name + "=";
      add(value);
    }
  }

  const std::string& key() const { return key_; }
  const std::vector<ir::Operation*>& leaves() const { return leaves_; }

  static std::string text_of(const LocalTypes* locals) {
    std::string text;
    if (locals != nullptr) {
      for (const auto& [name, type] : *locals) text += " " + name + ": " + to_string(type) + ";";
    }
    return text;
  }

  static std::string address(const void* object) {
    return std::to_string(reinterpret_cast<std::uintptr_t>(object));
  }

 private:
  static std::string literal(const Literal& value) {
    const auto bits = [](double number) {
      return std::to_string(std::bit_cast<std::uint64_t>(number));
    };
    const std::string text = std::visit(
        [&](const auto& constant) -> std::string {
          using T = std::decay_t<decltype(constant)>;
          if constexpr (std::is_same_v<T, double>)
            return bits(constant);
          else if constexpr (std::is_same_v<T, std::complex<double>>)
            return bits(constant.real()) + "," + bits(constant.imag());
          else
            return std::to_string(constant);
        },
        value.constant);
    return std::string(info(value.dtype).text) + (value.origin == Origin::computed ? "~" : "=") +
           text;
  }

  static std::string names_of(const std::vector<std::string>* fields) {
    std::string text;
    for (std::size_t i = 0; fields != nullptr && i < fields->size(); ++i)
      text += (*fields)[i] + ":";
    return text;
  }

  static std::string declared(const std::vector<DeclaredSignature>& signatures) {
    std::string text;
    for (const DeclaredSignature& signature : signatures) {
      text += " (";
      for (const ir::Type& type : signature.arguments) text += to_string(type) + ",";
      text += ")" + (signature.result ? to_string(*signature.result) : "");
    }
    return text;
  }

  std::string identity(const Value& value) const {
    if (const auto* array = value.as<ArrayEntity>())
      return "array " + address(array->identity);
    if (const auto* array = value.as<DeviceArrayEntity>())
      return "device array " + address(array->identity);
    if (const auto* type = value.as<TypeEntity>())
      return "type " + to_string(type->type);
    if (const auto* type = value.as<TupleClassEntity>())
      return "class " + type->name + " " + names_of(&type->field_names);
    if (const auto* function = value.as<FunctionEntity>(); function && function->external)
      return "external " + function->external->symbol + declared(function->signatures);
    if (const auto* function = value.as<FunctionEntity>())
      return "function " + address(function->function->source()->tree.get()) +
             (function->fast_math ? " fast " + std::to_string(function->fast_math->bits()) : "") +
             text_of(function->locals.get()) + declared(function->signatures);
    if (const auto* function = value.as<OverloadEntity>())
      return "overloads " + address(function->overloads.get());
    if (const auto* scope = value.as<ScopeEntity>())
      return "scope " + address(scope->scope.get());
    if (const auto* time = value.as<TimeEntity>())
      return "time " + to_string(time->type) + std::to_string(time->count);
    if (const auto* text = value.as<TextEntity>())
      return "text " + std::to_string(text->text.size()) + " " + text->text;
    if (value.is_none() || value.is<IntrinsicEntity>())
      return describe(value);
    if (value.is<OpenList>())
      throw Untyped{
          emitter_->location(),
          "a list whose elements are not known yet is handed to a function",
          "Put something into it first, or begin it with an element: [0.0].",
          true};
    emitter_->fail(describe(value) + " cannot be an argument of a device function");
  }

  Emitter* emitter_;
  bool keeps_literals_;
  std::string key_;
  std::vector<ir::Operation*> leaves_;
};

// The same value inside the callee: its parameters take the places of the caller's values.
class Rebuilder {
 public:
  Rebuilder(ir::Function& function, bool keeps_literals)
      : function_(&function), keeps_literals_(keeps_literals) {}

  Value operator()(const Value& value) {
    if (const auto* tuple = value.as<TupleValue>()) {
      TupleValue copy = *tuple;
      copy.elements = (*this)(*tuple->elements);
      return copy;
    }
    if (const auto* function = value.as<LocalFunction>()) {
      LocalFunction copy = *function;
      copy.defaults = (*this)(*function->defaults);
      if (function->captured)
        copy.captured = std::make_shared<const Captures>((*this)(*function->captured));
      return copy;
    }
    if (const auto* iterable = value.as<Iterable>()) {
      Iterable copy = *iterable;
      copy.parts = (*this)(*iterable->parts);
      return copy;
    }
    if (value.is<Runtime>() || (value.is<Literal>() && !keeps_literals_))
      return function_->parameters.at(next_++).get();
    return value;
  }

  std::shared_ptr<const std::vector<Value>> operator()(const std::vector<Value>& values) {
    std::vector<Value> rebuilt;
    for (const Value& value : values) rebuilt.push_back((*this)(value));
    return std::make_shared<const std::vector<Value>>(std::move(rebuilt));
  }

  Captures operator()(const Captures& captured) {
    Captures copy;
    for (const auto& [name, value] : captured) copy.emplace(name, (*this)(value));
    return copy;
  }

 private:
  ir::Function* function_;
  bool keeps_literals_;
  std::size_t next_ = 0;
};

}  // namespace phalanx::frontend::python
