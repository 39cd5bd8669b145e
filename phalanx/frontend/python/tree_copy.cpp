#include "phalanx/frontend/python/tree_copy.h"

#include <variant>

namespace phalanx::frontend::tree {

namespace {

std::vector<ExpressionPtr> copy(const std::vector<ExpressionPtr>& expressions) {
  std::vector<ExpressionPtr> copies;
  for (const ExpressionPtr& one : expressions) copies.push_back(tree::copy(one));
  return copies;
}

std::vector<Keyword> copy(const std::vector<Keyword>& keywords) {
  std::vector<Keyword> copies;
  for (const Keyword& one : keywords)
    copies.push_back({.name = one.name, .value = tree::copy(one.value)});
  return copies;
}

// One overload a node that owns others; the rest is copied as it is.
struct Copier {
  using Node = decltype(Expression::node);

  Node operator()(const Binary& node) const {
    return Binary{node.op, tree::copy(node.left), tree::copy(node.right)};
  }
  Node operator()(const Unary& node) const { return Unary{node.op, tree::copy(node.operand)}; }
  Node operator()(const Boolean& node) const { return Boolean{node.is_and, copy(node.operands)}; }
  Node operator()(const Compare& node) const {
    return Compare{tree::copy(node.first), node.comparisons, copy(node.rest)};
  }
  Node operator()(const Conditional& node) const {
    return Conditional{
        tree::copy(node.condition), tree::copy(node.then), tree::copy(node.otherwise)};
  }
  Node operator()(const Call& node) const {
    return Call{tree::copy(node.callee), copy(node.arguments), copy(node.keywords)};
  }
  Node operator()(const Attribute& node) const {
    return Attribute{tree::copy(node.owner), node.name};
  }
  Node operator()(const Subscript& node) const {
    return Subscript{tree::copy(node.owner), tree::copy(node.index)};
  }
  Node operator()(const Slice& node) const {
    return Slice{tree::copy(node.lower), tree::copy(node.upper), tree::copy(node.step)};
  }
  Node operator()(const Tuple& node) const { return Tuple{copy(node.elements), node.is_list}; }
  Node operator()(const Starred& node) const { return Starred{tree::copy(node.value)}; }
  Node operator()(const NamedExpression& node) const {
    return NamedExpression{node.name, tree::copy(node.value)};
  }
  Node operator()(const Name& node) const { return node; }
  Node operator()(const Constant& node) const { return node; }
  Node operator()(const Lambda& node) const { return node; }
  Node operator()(const Unsupported& node) const { return node; }
};

struct StatementCopier {
  using Node = decltype(Statement::node);

  Node operator()(const Evaluate& node) const { return Evaluate{tree::copy(node.value)}; }
  Node operator()(const Assign& node) const {
    return Assign{copy(node.targets), tree::copy(node.value)};
  }
  Node operator()(const AugmentedAssign& node) const {
    return AugmentedAssign{tree::copy(node.target), node.op, tree::copy(node.value)};
  }
  Node operator()(const If& node) const {
    return If{tree::copy(node.condition), tree::copy(node.then), tree::copy(node.otherwise)};
  }
  Node operator()(const While& node) const {
    return While{tree::copy(node.condition), tree::copy(node.body), tree::copy(node.otherwise)};
  }
  Node operator()(const For& node) const {
    return For{
        tree::copy(node.target),
        tree::copy(node.iterable),
        tree::copy(node.body),
        tree::copy(node.otherwise)};
  }
  Node operator()(const Return& node) const { return Return{tree::copy(node.value)}; }
  Node operator()(const Assert& node) const {
    return Assert{tree::copy(node.condition), tree::copy(node.message)};
  }
  Node operator()(const Raise& node) const { return Raise{tree::copy(node.exception)}; }
  Node operator()(const Break& node) const { return node; }
  Node operator()(const Continue& node) const { return node; }
  Node operator()(const Pass& node) const { return node; }
  Node operator()(const Delete& node) const { return node; }
  Node operator()(const Define& node) const { return node; }
  Node operator()(const Unsupported& node) const { return node; }
};

}  // namespace

ExpressionPtr copy(const ExpressionPtr& expression) {
  if (!expression)
    return nullptr;
  return std::make_unique<Expression>(
      Expression{expression->location, std::visit(Copier(), expression->node)});
}

Body copy(const Body& body) {
  Body copies;
  for (const StatementPtr& statement : body)
    copies.push_back(std::make_unique<Statement>(
        Statement{statement->location, std::visit(StatementCopier(), statement->node)}));
  return copies;
}

}  // namespace phalanx::frontend::tree
