#include "phalanx/ir/printer.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "phalanx/ir/attributes.h"
#include "phalanx/ir/text.h"

namespace phalanx::ir {

namespace {

// Gives each thing a name of its own: the hint, then hint.1, hint.2; numbers without a hint.
class Names {
 public:
  std::string fresh(std::string_view hint) {
    if (!is_identifier(hint))
      return std::to_string(numbered_++);
    const unsigned before = uses_[std::string(hint)]++;
    return before == 0 ? std::string(hint) : fmt::format("{}.{}", hint, before);
  }

 private:
  std::unordered_map<std::string, unsigned> uses_;
  unsigned numbered_ = 0;
};

class Printer {
 public:
  explicit Printer(const Function& function) : function_(function) { name_everything(); }

  std::string function_text();
  std::string operation_text(const Operation& operation) const;

 private:
  void name_everything();
  std::string value(const Operation* operation) const;
  std::string attribute(const Operation& operation) const;
  void print_region(const Region& region, std::size_t depth);
  void print_operation(const Operation& operation, std::size_t depth);
  void print_regions(const Operation& operation, std::size_t depth);

  const Function& function_;
  std::unordered_map<const Operation*, std::string> values_;
  std::vector<std::string> variables_;
  std::string text_;
};

void Printer::name_everything() {
  Names names;
  for (const auto& parameter : function_.parameters)
    values_[parameter.get()] = names.fresh(parameter->name);
  for_each(function_.body, [&](const Operation& operation) {
    if (!operation.type.is_none())
      values_[&operation] = names.fresh(operation.name);
  });
  Names variable_names;
  for (const Variable& variable : function_.variables)
    variables_.push_back(variable_names.fresh(variable.name));
}

std::string Printer::value(const Operation* operation) const {
  const auto found = values_.find(operation);
  return found == values_.end() ? "%?" : "%" + found->second;
}

std::string function_name(const Function* function) {
  return function == nullptr ? "@?" : "@" + identifier_or_quoted(function->name);
}

std::string Printer::attribute(const Operation& operation) const {
  switch (attribute_of(operation.op)) {
    case Attribute::none:
      return {};
    case Attribute::constant:
      return to_string(
          operation.constant, operation.type.is_scalar() ? operation.type.dtype() : DType::int64);
    case Attribute::index:
      return std::to_string(operation.index);
    case Attribute::variable:
      return "$" + (operation.variable < variables_.size() ? variables_[operation.variable] : "?");
    case Attribute::text:
      return quoted(operation.text);
    case Attribute::shape:
      return fmt::format("[{}]", fmt::join(operation.shape, ", "));
    case Attribute::callee:
      return function_name(operation.callee);
    default:
      return quoted(text_of(operation.op, operation.detail));
  }
}

std::string location_text(const Location& location) {
  if (location == Location{})
    return {};
  std::string text = fmt::format(" @{}:{}", location.line, location.column);
  if (location.end_column != 0)
    text += fmt::format("-{}", location.end_column);
  return text;
}

std::string Printer::operation_text(const Operation& operation) const {
  std::string text;
  if (!operation.type.is_none())
    text += value(&operation) + " = ";
  text += name_of(operation.op);
  std::string_view separator = " ";
  if (const std::string part = attribute(operation); !part.empty()) {
    text += " " + part;
    separator = ", ";
  }
  if (const auto word = optional_index(operation.op); !word.empty() && operation.index != 0) {
    text += fmt::format(" {} {}", word, operation.index);
    separator = ", ";
  }
  if (operation.fast_math) {
    text += fmt::format(" fast {}", operation.fast_math->bits());
    separator = ", ";
  }
  if (operation.no_wrap) {
    text += " no_wrap";
    separator = ", ";
  }
  for (const Operation* operand : operation.operands) {
    text += separator;
    text += value(operand);
    separator = ", ";
  }
  if (!operation.type.is_none())
    text += " : " + to_string(operation.type);
  return text;
}

void Printer::print_region(const Region& region, std::size_t depth) {
  for (const auto& operation : region) print_operation(*operation, depth);
}

void Printer::print_operation(const Operation& operation, std::size_t depth) {
  text_.append(2 * depth, ' ');
  text_ += operation_text(operation);
  text_ += location_text(operation.location);
  if (!operation.regions.empty())
    print_regions(operation, depth);
  text_ += '\n';
}

void Printer::print_regions(const Operation& operation, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  for (std::size_t i = 0; i < operation.regions.size(); ++i) {
    // An absent else or step is an empty region.
    if (i > 0 && operation.regions[i].empty())
      continue;
    if (i > 0)
      text_ += operation.op == Op::loop ? " step" : " else";
    text_ += " {\n";
    print_region(operation.regions[i], depth + 1);
    text_ += indent + "}";
  }
}

std::string Printer::function_text() {
  text_ = std::string(function_kind_names.at(static_cast<std::size_t>(function_.kind))) + " ";
  text_ += function_name(&function_) + "(";
  std::string_view separator;
  for (const auto& parameter : function_.parameters) {
    text_ += fmt::format("{}{}: {}", separator, value(parameter.get()), to_string(parameter->type));
    separator = ", ";
  }
  text_ += ")";
  if (!function_.result.is_none())
    text_ += " -> " + to_string(function_.result);
  if (function_.returns_status)
    text_ += " status";
  if (function_.source != nullptr)
    text_ += " source " + quoted(function_.source->path);
  text_ += " {\n";
  for (std::size_t i = 0; i < variables_.size(); ++i)
    text_ += fmt::format("  var ${}: {}\n", variables_[i], to_string(function_.variables[i].type));
  print_region(function_.body, 1);
  text_ += "}\n";
  return std::move(text_);
}

std::string quoted_hex(const std::vector<std::byte>& bytes) {
  std::string text = "\"";
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text + "\"";
}

std::string constant_text(const ConstantArray& array, std::size_t index) {
  return fmt::format(
      "constant {}: {} [{}] {}\n",
      index,
      to_string(array.element),
      fmt::join(array.shape, ", "),
      quoted_hex(array.bytes));
}

std::string global_text(const Global& global) {
  std::string text = fmt::format(
      "global @{}: {} [{}]{}",
      identifier_or_quoted(global.name),
      to_string(global.element),
      fmt::join(global.shape, ", "),
      global.space == Space::constant ? " constant" : "");
  if (!global.bytes.empty())
    text += " " + quoted_hex(global.bytes);
  return text + "\n";
}

}  // namespace

std::string print(const Function& function) { return Printer(function).function_text(); }

std::string print(const Function& function, const Operation& operation) {
  return Printer(function).operation_text(operation);
}

std::string print(const Module& module) {
  std::string text;
  for (std::size_t i = 0; i < module.constants.size(); ++i)
    text += constant_text(module.constants[i], i);
  for (const Global& global : module.globals) text += global_text(global);
  for (const auto& function : module.functions) {
    if (!text.empty())
      text += "\n";
    text += print(*function);
  }
  return text;
}

}  // namespace phalanx::ir
