#include "phalanx/ir/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "phalanx/ir/operation_rules.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/text.h"
#include "phalanx/ir/typing.h"

namespace phalanx::ir {

namespace {

// A loop or block that a break can leave, from the outermost in.
struct Enclosing {
  bool is_loop;
  bool is_step;  // we are in the loop's step
};

class FunctionVerifier {
 public:
  FunctionVerifier(const Module& module, const Function& function)
      : module_(module), function_(function) {}

  void verify();

 private:
  void verify_types();
  void verify_region(const Region& region);
  void verify_operation(const Operation& operation);
  void verify_nested(const Operation& operation);
  void verify_jump(const Operation& operation);
  [[noreturn]] void fail(const Operation& operation, std::string_view rule) const;
  [[noreturn]] void fail(std::string_view rule) const;

  const Module& module_;
  const Function& function_;
  std::unordered_set<const Operation*> visible_;
  std::vector<Enclosing> enclosing_;
};

void FunctionVerifier::fail(const Operation& operation, std::string_view rule) const {
  throw VerifyError(fmt::format(
      "broken IR in @{}, line {}: {}: this must hold: {}",
      function_.name,
      operation.location.line,
      print(function_, operation),
      rule));
}

void FunctionVerifier::fail(std::string_view rule) const {
  throw VerifyError(fmt::format("broken IR in @{}: this must hold: {}", function_.name, rule));
}

void FunctionVerifier::verify_types() {
  const bool is_foreign =
      function_.kind == FunctionKind::exported || function_.kind == FunctionKind::external;
  const bool has_result = function_.kind == FunctionKind::device || is_foreign;
  if (!has_result && !function_.result.is_none())
    fail("a kernel and a parallel body have no result");
  if (function_.returns_status && !is_foreign)
    fail("only an exported or external function returns a status");
  if (function_.kind == FunctionKind::external && !function_.body.empty())
    fail("an external function has no body");
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const Operation& parameter = *function_.parameters[i];
    if (parameter.op != Op::parameter || parameter.index != static_cast<std::int64_t>(i))
      fail("the parameters are numbered from 0");
    if (parameter.type.is_none())
      fail("a parameter has a type");
    if (const std::string rule = broken_rule(parameter.type); !rule.empty())
      fail(rule);
    visible_.insert(&parameter);
  }
  for (const Variable& variable : function_.variables) {
    if (variable.type.is_none())
      fail("a variable has a type");
    if (const std::string rule = broken_rule(variable.type); !rule.empty())
      fail(rule);
  }
}

void FunctionVerifier::verify() {
  verify_types();
  verify_region(function_.body);
}

void FunctionVerifier::verify_region(const Region& region) {
  for (std::size_t i = 0; i < region.size(); ++i) {
    verify_operation(*region[i]);
    if (ends_flow(*region[i]) && i + 1 < region.size())
      fail(*region[i], "nothing follows what ends the flow");
    visible_.insert(region[i].get());
  }
  for (const auto& operation : region) visible_.erase(operation.get());
}

void FunctionVerifier::verify_operation(const Operation& operation) {
  for (const Operation* operand : operation.operands) {
    if (operand == nullptr || !visible_.contains(operand))
      fail(operation, "each operand is made before, in this region or one around it");
    if (operand->type.is_none())
      fail(operation, "each operand has a value");
  }
  if (const std::string rule = broken_rule(module_, function_, operation); !rule.empty())
    fail(operation, rule);
  if (operation.op == Op::break_ || operation.op == Op::continue_)
    verify_jump(operation);
  verify_nested(operation);
}

void FunctionVerifier::verify_jump(const Operation& operation) {
  if (operation.index < 0 || static_cast<std::uint64_t>(operation.index) >= enclosing_.size())
    fail(operation, "the loop or block it leaves is there");
  const auto levels = static_cast<std::size_t>(operation.index);
  const Enclosing& target = enclosing_[enclosing_.size() - 1 - levels];
  if (operation.op == Op::continue_ && !target.is_loop)
    fail(operation, "a continue goes to a loop");
  if (target.is_step)
    fail(operation, "a loop's step neither leaves nor continues that loop");
}

void FunctionVerifier::verify_nested(const Operation& operation) {
  const bool is_loop = operation.op == Op::loop;
  for (std::size_t i = 0; i < operation.regions.size(); ++i) {
    if (operation.op == Op::if_) {
      verify_region(operation.regions[i]);
      continue;
    }
    enclosing_.push_back({.is_loop = is_loop, .is_step = is_loop && i == 1});
    verify_region(operation.regions[i]);
    enclosing_.pop_back();
  }
}

void verify_constants(const Module& module) {
  for (const ConstantArray& array : module.constants) {
    const std::string rule = broken_rule(Type::pointer(array.element, Space::constant));
    if (!rule.empty())
      throw VerifyError("broken IR in a constant array: this must hold: " + rule);
  }
}

std::string broken_rule_of(const Global& global) {
  constexpr std::size_t most_bytes = std::size_t{1} << 48U;  // more than any device has
  if (const std::string rule = broken_rule(Type::pointer(global.element, global.space));
      !rule.empty())
    return rule;
  const bool is_ascii = std::ranges::all_of(global.name, [](char c) { return (c & 0x80) == 0; });
  if (!is_identifier(global.name) || !is_ascii)
    return "its name is an identifier of C";
  if (global.space != Space::global && global.space != Space::constant)
    return "it is in global or constant memory";
  std::size_t bytes = element_stride(global.element);
  for (const std::int64_t extent : global.shape) {
    if (extent < 0)
      return "extents are not negative";
    if (extent != 0 && bytes > most_bytes / static_cast<std::size_t>(extent))
      return "it has at most 2^48 bytes";
    bytes *= static_cast<std::size_t>(extent);
  }
  return global.bytes.empty() || global.bytes.size() == bytes
             ? ""
             : "its first content has as many bytes as it has";
}

void verify_globals(const Module& module) {
  std::unordered_set<std::string_view> names;
  for (const Global& global : module.globals) {
    const std::string rule = broken_rule_of(global);
    if (!rule.empty())
      throw VerifyError("broken IR in the global @" + global.name + ": this must hold: " + rule);
    if (!names.insert(global.name).second)
      throw VerifyError("broken IR: two globals are named @" + global.name);
  }
}

}  // namespace

void verify(const Module& module) {
  verify_constants(module);
  verify_globals(module);
  std::unordered_set<std::string_view> names;
  for (const auto& function : module.functions) {
    if (!names.insert(function->name).second)
      throw VerifyError("broken IR: two functions are named @" + function->name);
    FunctionVerifier(module, *function).verify();
  }
}

}  // namespace phalanx::ir
