// Goes over the direct children of a tree's nodes.
#pragma once

#include <algorithm>
#include <type_traits>

#include "phalanx/frontend/tree.h"

namespace phalanx::frontend::tree {

template <typename Visitor>
void for_each_child(const Expression& expression, const Visitor& visit) {
  const auto one = [&](const ExpressionPtr& child) {
    if (child)
      visit(*child);
  };
  const auto all = [&](const std::vector<ExpressionPtr>& children) {
    for (const ExpressionPtr& child : children) one(child);
  };
  std::visit(
      [&](const auto& node) {
        using T = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<T, Binary>)
          one(node.left), one(node.right);
        else if constexpr (std::is_same_v<T, Unary>)
          one(node.operand);
        else if constexpr (std::is_same_v<T, Boolean>)
          all(node.operands);
        else if constexpr (std::is_same_v<T, Compare>)
          one(node.first), all(node.rest);
        else if constexpr (std::is_same_v<T, Conditional>)
          one(node.condition), one(node.then), one(node.otherwise);
        else if constexpr (std::is_same_v<T, Call>) {
          one(node.callee), all(node.arguments);
          for (const Keyword& keyword : node.keywords) one(keyword.value);
        } else if constexpr (std::is_same_v<T, Attribute>)
          one(node.owner);
        else if constexpr (std::is_same_v<T, Subscript>)
          one(node.owner), one(node.index);
        else if constexpr (std::is_same_v<T, Slice>)
          one(node.lower), one(node.upper), one(node.step);
        else if constexpr (std::is_same_v<T, Tuple>)
          all(node.elements);
        else if constexpr (std::is_same_v<T, Starred> || std::is_same_v<T, NamedExpression>)
          one(node.value);
      },
      expression.node);
}

// The expressions that a statement evaluates or assigns to, not those of nested statements.
template <typename Visitor>
void for_each_expression(const Statement& statement, const Visitor& visit) {
  const auto one = [&](const ExpressionPtr& child) {
    if (child)
      visit(*child);
  };
  std::visit(
      [&](const auto& node) {
        using T = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<T, Evaluate> || std::is_same_v<T, Return>)
          one(node.value);
        else if constexpr (std::is_same_v<T, Assign>) {
          one(node.value);
          for (const ExpressionPtr& target : node.targets) one(target);
        } else if constexpr (std::is_same_v<T, AugmentedAssign>)
          one(node.target), one(node.value);
        else if constexpr (std::is_same_v<T, If> || std::is_same_v<T, While>)
          one(node.condition);
        else if constexpr (std::is_same_v<T, For>)
          one(node.iterable), one(node.target);
        else if constexpr (std::is_same_v<T, Assert>)
          one(node.condition), one(node.message);
        else if constexpr (std::is_same_v<T, Raise>)
          one(node.exception);
        else if constexpr (std::is_same_v<T, Define>) {
          for (const Parameter& parameter : node.function->parameters) one(parameter.default_value);
        }
      },
      statement.node);
}

template <typename Visitor>
void for_each_body(const Statement& statement, const Visitor& visit) {
  std::visit(
      [&](const auto& node) {
        using T = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<T, If>)
          visit(node.then), visit(node.otherwise);
        else if constexpr (std::is_same_v<T, While> || std::is_same_v<T, For>)
          visit(node.body), visit(node.otherwise);
      },
      statement.node);
}

// True if Python's compiler makes a constant of the expression.
inline bool is_constant(const Expression& expression) {
  const auto* tuple = std::get_if<Tuple>(&expression.node);
  if (tuple == nullptr)
    return std::holds_alternative<Constant>(expression.node);
  return !tuple->is_list && std::ranges::all_of(tuple->elements, [](const auto& element) {
    return is_constant(*element);
  });
}

}  // namespace phalanx::frontend::tree
