// What device code tells the host: printf, assert.
#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/ir/build_calls.h"

namespace phalanx::cudac {

namespace {

const clang::StringLiteral* text_of(const clang::Expr* expression) {
  return llvm::dyn_cast<clang::StringLiteral>(expression->IgnoreParenImpCasts());
}

// Text of C's printf; its last newline is the printed line's.
Value print(FunctionConverter& c, const clang::CallExpr* call) {
  const clang::StringLiteral* format = call->getNumArgs() == 0 ? nullptr : text_of(call->getArg(0));
  if (format == nullptr)
    c.refuse(call->getBeginLoc(), "the format of printf must be text in the source");
  std::string text;
  Values values;
  const std::string source = format->getString().str();
  unsigned next = 1;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '%') {
      text += source[i];
      continue;
    }
    std::size_t end = i + 1;
    while (end < source.size() &&
           std::string_view("-+ #0123456789.hlLzjt").find(source[end]) != std::string_view::npos)
      ++end;
    if (end == source.size())
      c.refuse(call->getBeginLoc(), "the format of printf ends within a conversion");
    if (source[end] == '%') {
      text += '%';
    } else if (next >= call->getNumArgs()) {
      c.refuse(call->getBeginLoc(), "printf has fewer arguments than its format asks for");
    } else if (const clang::StringLiteral* literal = text_of(call->getArg(next))) {
      text += literal->getString().str();
      ++next;
    } else {
      Value value = c.scalar(call->getArg(next++));
      if (value->type.is_pointer())
        value = c.builder().bitcast(value, DType::uint64);
      text += "{}";
      values.push_back(value);
    }
    i = end;
  }
  if (text.ends_with('\n'))
    text.pop_back();
  ir::print(c.builder(), std::move(text), std::move(values));
  return c.builder().integer(static_cast<std::int64_t>(next) - 1, DType::int32);
}

}  // namespace

std::optional<Value> special_call(
    FunctionConverter& c, const clang::CallExpr* call, const clang::FunctionDecl& callee) {
  if (callee.getIdentifier() == nullptr)
    return std::nullopt;
  if (callee.getName() == "printf")
    return print(c, call);
  if (callee.getName() != "__assertfail")
    return std::nullopt;
  const clang::StringLiteral* condition = text_of(call->getArg(0));
  c.builder().raise(
      {"AssertionError", condition == nullptr ? "assert" : condition->getString().str()});
  return nullptr;
}

}  // namespace phalanx::cudac
