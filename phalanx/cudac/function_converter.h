// One function of C: what its statements and expressions share.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include "phalanx/cudac/jumps.h"
#include "phalanx/cudac/lvalue.h"
#include "phalanx/cudac/module_converter.h"
#include "phalanx/cudac/types.h"
#include "phalanx/cudac/usage.h"
#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

using Value = ir::Operation*;
using Values = std::vector<ir::Operation*>;

// What expressions speak of without its name.
struct Current {
  Value object = nullptr;  // `this`
  clang::SourceLocation where;
  // Operands that others refer to more than once, and that are found once.
  std::unordered_map<const clang::OpaqueValueExpr*, LValue> places;
  std::unordered_map<const clang::OpaqueValueExpr*, Value> values;
  Value array_index = nullptr;  // of the element that an array's initializer makes
};

// What each kind of expression and statement becomes are functions of the files that are named
// here, over this class.
class FunctionConverter {
 public:
  FunctionConverter(
      ModuleConverter& module, const clang::FunctionDecl& declaration, ir::Function& function);

  void run();

  ModuleConverter& module() const { return module_; }
  clang::ASTContext& context() const { return module_.context(); }
  ir::Builder& builder() { return builder_; }
  Jumps& jumps() { return jumps_; }
  // The operations that follow are of that place in the source.
  void locate(const clang::Stmt* statement);
  [[noreturn]] void refuse(clang::SourceLocation where, const std::string& text) const {
    module_.refuse(where, text);
  }

  // expressions.cpp, casts.cpp, operators.cpp: numbers and pointers.
  Value scalar(const clang::Expr* expression);
  Value condition(const clang::Expr* expression);
  void discard(const clang::Expr* expression);
  Value converted(Value value, clang::QualType from, clang::QualType to);
  Value zero(clang::QualType type);
  Value binary(const clang::BinaryOperator* operation);
  Value unary(const clang::UnaryOperator* operation);
  Value arithmetic(clang::BinaryOperatorKind kind, Value x, Value y, clang::QualType type);
  // A pointer to another element of an array.
  Value moved(Value pointer, Value index, clang::QualType element, bool is_back = false);
  Value generic(Value pointer);  // to bytes, anywhere
  // Of places by their addresses, of those that are only read by their values.
  Value choose(const clang::AbstractConditionalOperator* expression, bool is_read = false);

  // places.cpp
  LValue place(const clang::Expr* expression);
  Value load(const LValue& place);
  void store(const LValue& place, Value value);
  Value address(const LValue& place);
  LValue at(Value pointer, clang::QualType type) const;
  LValue offset(const LValue& whole, std::int64_t bytes, clang::QualType type);
  LValue field(const LValue& whole, const clang::FieldDecl& field);
  LValue member_place(const LValue& whole, const clang::FieldDecl& member);  // or what it refers to
  LValue base(
      const LValue& whole, const clang::CXXRecordDecl& derived, const clang::CXXRecordDecl& base);
  LValue temporary(clang::QualType type, const std::string& name = "");

  // aggregates.cpp: structs and arrays, which are made where they lie.
  void make(const clang::Expr* expression, const LValue& target);
  void copy(const LValue& from, const LValue& target);
  void clear(const LValue& target);

  // calls.cpp: the value, the address of what a reference refers to, or a struct at `result`.
  Value call(const clang::CallExpr* expression, const LValue* result);
  void construct(const clang::CXXConstructExpr* expression, const LValue& target);

  // statements.cpp
  void statement(const clang::Stmt* statement);
  void declare(const clang::VarDecl& variable);

  // Of the function: its result, where a struct is returned.
  clang::QualType return_type() const { return declaration_.getReturnType(); }
  Value result_address() const { return result_; }
  Current& current() { return current_; }
  // What is known of a variable: its place, or the value of one that never changes.
  const LValue* place_of(const clang::ValueDecl& variable) const;
  Value value_of(const clang::ValueDecl& variable) const;
  Value constant_value(const clang::Expr* expression);  // nullptr: it is none

 private:
  void add_parameters();
  void add_parameter(const clang::ParmVarDecl& parameter, Value given);
  void add_captures();
  void initialize_members(const clang::CXXConstructorDecl& constructor);
  void declare_shared(const clang::VarDecl& variable);
  void declare_local(const clang::VarDecl& variable);
  Value cast(const clang::CastExpr* expression);
  Value scalar_of_cpp(const clang::Expr* expression);

  ModuleConverter& module_;
  const clang::FunctionDecl& declaration_;
  ir::Function& function_;
  ir::Builder builder_;
  Usage usage_;
  Jumps jumps_{*this};
  std::unordered_map<const clang::ValueDecl*, LValue> places_;
  std::unordered_map<const clang::ValueDecl*, Value> values_;
  Current current_;
  Value result_ = nullptr;
};

}  // namespace phalanx::cudac
