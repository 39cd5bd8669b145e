// Short spellings of the front end's tree, for tests without Python.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/frontend/tree.h"

namespace phalanx::frontend::tree {

template <typename Node>
ExpressionPtr make(Node node, std::uint32_t line = 1, std::uint32_t column = 0) {
  auto made = std::make_unique<Expression>();
  made->location = {.line = line, .column = column, .end_column = column + 1};
  made->node = std::move(node);
  return made;
}

inline ExpressionPtr name(std::string text) { return make(Name{std::move(text)}); }
inline ExpressionPtr integer(std::int64_t value) { return make(Constant{value}); }
inline ExpressionPtr binary(ir::Op op, ExpressionPtr left, ExpressionPtr right) {
  return make(Binary{op, std::move(left), std::move(right)});
}
inline ExpressionPtr item(ExpressionPtr owner, ExpressionPtr index) {
  return make(Subscript{std::move(owner), std::move(index)});
}

template <typename Node>
StatementPtr statement(Node node, std::uint32_t line = 1) {
  auto made = std::make_unique<Statement>();
  made->location = {.line = line};
  made->node = std::move(node);
  return made;
}

inline StatementPtr assign(ExpressionPtr target, ExpressionPtr value, std::uint32_t line = 1) {
  Assign node;
  node.targets.push_back(std::move(target));
  node.value = std::move(value);
  return statement(std::move(node), line);
}

template <typename... Statements>
Body body(Statements... statements) {
  Body made;
  (made.push_back(std::move(statements)), ...);
  return made;
}

inline Function function(std::string text, const std::vector<std::string>& parameters, Body body) {
  Function made;
  made.name = std::move(text);
  made.location = {.line = 1};
  for (const std::string& parameter : parameters)
    made.parameters.push_back({.name = parameter, .default_value = nullptr, .location = {}});
  made.body = std::move(body);
  return made;
}

}  // namespace phalanx::frontend::tree
