// The syntax tree of a Python function in plain C++: what the front end takes instead of CPython's.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "phalanx/base/source.h"
#include "phalanx/ir/op.h"

namespace phalanx::frontend::tree {

struct Expression;
struct Statement;
struct Function;

using ExpressionPtr = std::unique_ptr<Expression>;
using StatementPtr = std::unique_ptr<Statement>;
using Body = std::vector<StatementPtr>;

// ---- Expressions ----

// The name of the function that a @ b calls; Python code cannot have such a name.
inline constexpr const char* matrix_product = "@";
inline constexpr const char* format_function = "f\"";  // what f"{a}" calls

struct None {};
struct Ellipsis {};

struct Name {
  std::string text;
};

// An integer that fits no type; empty where it has too many digits to be written.
struct BigInteger {
  std::string digits;
};

struct Constant {
  std::variant<
      None,
      Ellipsis,
      bool,
      std::int64_t,
      std::uint64_t,
      BigInteger,
      double,
      std::complex<double>,
      std::string>
      value;
};

struct Binary {
  ir::Op op;  // add, ..., right_shift
  ExpressionPtr left;
  ExpressionPtr right;
};

enum class UnaryOperator : std::uint8_t { plus, minus, invert, logical_not };

struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};

struct Boolean {  // a and b and c, a or b or c
  bool is_and;
  std::vector<ExpressionPtr> operands;
};

enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  is,
  is_not,
  in,
  not_in,
};

struct Compare {  // first < rest[0] <= rest[1] ...
  ExpressionPtr first;
  std::vector<Comparison> comparisons;
  std::vector<ExpressionPtr> rest;
};

struct Conditional {
  ExpressionPtr condition;
  ExpressionPtr then;
  ExpressionPtr otherwise;
};

struct Keyword {
  std::string name;
  ExpressionPtr value;
};

struct Call {
  ExpressionPtr callee;
  std::vector<ExpressionPtr> arguments;
  std::vector<Keyword> keywords;
};

struct Attribute {
  ExpressionPtr owner;
  std::string name;
};

struct Subscript {
  ExpressionPtr owner;
  ExpressionPtr index;
};

struct Slice {  // each may be absent
  ExpressionPtr lower;
  ExpressionPtr upper;
  ExpressionPtr step;
};

struct Tuple {
  std::vector<ExpressionPtr> elements;
  bool is_list = false;
};

struct Starred {
  ExpressionPtr value;
};

struct NamedExpression {  // name := value
  std::string name;
  ExpressionPtr value;
};

struct Lambda {
  std::shared_ptr<const Function> function;
};

// A node that kernels do not have. `what` names it as in "a list comprehension".
struct Unsupported {
  std::string what;
  std::string advice;  // what to write instead; may be empty
};

struct Expression {
  Location location;
  std::variant<
      Name,
      Constant,
      Binary,
      Unary,
      Boolean,
      Compare,
      Conditional,
      Call,
      Attribute,
      Subscript,
      Slice,
      Tuple,
      Starred,
      NamedExpression,
      Lambda,
      Unsupported>
      node;
};

// ---- Statements ----

struct Evaluate {
  ExpressionPtr value;
};

struct Assign {  // a = b = value
  std::vector<ExpressionPtr> targets;
  ExpressionPtr value;
};

struct AugmentedAssign {
  ExpressionPtr target;
  ir::Op op;
  ExpressionPtr value;
};

struct If {
  ExpressionPtr condition;
  Body then;
  Body otherwise;
};

struct While {
  ExpressionPtr condition;
  Body body;
  Body otherwise;
};

struct For {
  ExpressionPtr target;
  ExpressionPtr iterable;
  Body body;
  Body otherwise;
};

struct Break {};
struct Continue {};
struct Pass {};

struct Return {
  ExpressionPtr value;  // may be absent
};

struct Assert {
  ExpressionPtr condition;
  ExpressionPtr message;  // may be absent
};

struct Raise {
  ExpressionPtr exception;  // may be absent
};

struct Delete {
  std::vector<std::string> names;
};

struct Define {  // a function inside the function
  std::shared_ptr<const Function> function;
};

struct Statement {
  Location location;
  std::variant<
      Evaluate,
      Assign,
      AugmentedAssign,
      If,
      While,
      For,
      Break,
      Continue,
      Pass,
      Return,
      Assert,
      Raise,
      Delete,
      Define,
      Unsupported>
      node;
};

// ---- Functions ----

struct Parameter {
  std::string name;
  ExpressionPtr default_value;  // of a nested function; evaluated where it is defined
  Location location;
  bool is_keyword_only = false;
};

struct Function {
  std::string name;
  Location location;
  std::vector<Parameter> parameters;
  std::string variadic;  // name of *args; empty if there is none
  Body body;             // a lambda's is one Return
};

}  // namespace phalanx::frontend::tree
