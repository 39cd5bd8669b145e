// One function of C, statement by statement.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "phalanx/cudac/module_converter.h"
#include "phalanx/cudac/place.h"
#include "phalanx/cudac/types.h"
#include "phalanx/cudac/usage.h"
#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

using Value = ir::Operation*;
using Values = std::vector<ir::Operation*>;

class FunctionConverter {
 public:
  FunctionConverter(
      ModuleConverter& module, const clang::FunctionDecl& declaration, ir::Function& function);

  void run();

  ModuleConverter& module() const { return module_; }
  clang::ASTContext& context() const { return module_.context(); }
  ir::Builder& builder() { return builder_; }

  // expressions.cpp: numbers and pointers.
  Value scalar(const clang::Expr* expression);
  Value condition(const clang::Expr* expression);
  void discard(const clang::Expr* expression);
  Value constant_value(const clang::Expr* expression);  // nullptr: it is none
  Value zero(clang::QualType type);
  // casts.cpp
  Value cast(const clang::CastExpr* expression);
  Value converted(Value value, clang::QualType from, clang::QualType to);
  Value as_index(Value value);  // in 64 bits
  // operators.cpp
  Value binary(const clang::BinaryOperator* operation);
  Value unary(const clang::UnaryOperator* operation);
  Value arithmetic(clang::BinaryOperatorKind kind, Value x, Value y, clang::QualType type);
  Value moved(Value pointer, Value index, clang::QualType element, bool is_back = false);
  Value choose(const clang::AbstractConditionalOperator* expression);
  // places.cpp
  Place place(const clang::Expr* expression);
  Value load(const Place& place);
  void store(const Place& place, Value value);
  Value address(const Place& place);
  Place at(Value pointer, clang::QualType type) const;
  Place offset(const Place& whole, std::int64_t bytes, clang::QualType type);
  Value generic(Value pointer);  // to bytes, anywhere
  Place field(const Place& whole, const clang::FieldDecl& field);
  Place base(
      const Place& whole, const clang::CXXRecordDecl& derived, const clang::CXXRecordDecl& base);
  Place temporary(clang::QualType type, const std::string& name = "");
  // aggregates.cpp: structs and arrays, which are made where they lie.
  void make(const clang::Expr* expression, const Place& target);
  void copy(const Place& from, const Place& target);
  void clear(const Place& target);
  void make_list(const clang::InitListExpr* list, const Place& target);
  void make_member(const clang::Expr* expression, const Place& target, clang::QualType type);
  void make_choice(const clang::AbstractConditionalOperator* expression, const Place& target);
  void make_text(const clang::StringLiteral* text, const Place& target);
  void make_lambda(const clang::LambdaExpr* lambda, const Place& target);
  // calls.cpp
  Value call(const clang::CallExpr* expression, const Place* result);
  Value call_intrinsic(const clang::CallExpr* expression, const clang::FunctionDecl& callee);
  void construct(const clang::CXXConstructExpr* expression, const Place& target);
  void construct_array(const clang::CXXConstructExpr* expression, const Place& target);
  Values arguments(
      const clang::FunctionDecl& callee, const clang::Expr* const* given, unsigned count);
  Value call_function(const clang::FunctionDecl& callee, Values arguments, const Place* result);
  // intrinsics.cpp: functions without a body; nothing where it is none of ours.
  std::optional<Value> intrinsic(
      const clang::CallExpr* call, const clang::FunctionDecl& callee, const Values& arguments);
  std::optional<Value> builtin(std::string_view name, clang::QualType type, const Values& given);
  // Those that look at the expressions themselves: printf, assert.
  std::optional<Value> special_call(const clang::CallExpr* call, const clang::FunctionDecl& callee);
  Value print(const clang::CallExpr* call);
  // threads.cpp
  std::optional<Value> thread_query(const clang::MemberExpr* member);
  std::optional<Place> thread_place(const clang::DeclRefExpr* name);

  // statements.cpp
  void statement(const clang::Stmt* statement);
  void declare(const clang::VarDecl& variable);
  // switches.cpp
  void switch_over(const clang::SwitchStmt* statement);

  [[noreturn]] void refuse(clang::SourceLocation where, const std::string& text) const {
    module_.refuse(where, text);
  }
  void locate(const clang::Stmt* statement);

 private:
  // Where C's jumps lead: how many loops and blocks are around their targets.
  struct Jumps {
    std::int64_t break_level;
    std::int64_t continue_level;  // -1 for a switch
    bool continues_by_break;      // `continue` leaves a block around the body
  };
  void leave(std::int64_t target_level);
  void continue_loop();
  Value case_test(Value value, const clang::CaseStmt& given);
  void declarations(const clang::DeclStmt* given);
  void add_parameters();
  void add_captures();
  void store_parts(Value tuple, const Place& target);
  void initialize_members(const clang::CXXConstructorDecl& constructor);
  void while_loop(const clang::WhileStmt* loop);
  void do_loop(const clang::DoStmt* loop);
  void for_loop(const clang::ForStmt* loop);
  void range_loop(const clang::CXXForRangeStmt* loop);
  void branch(const clang::IfStmt* branch);
  void return_from(const clang::ReturnStmt* statement);
  void declare_shared(const clang::VarDecl& variable);
  void declare_local(const clang::VarDecl& variable);
  void bind_reference(const clang::VarDecl& variable);
  Place variable_place(const clang::DeclRefExpr* name);
  Place global_place(const clang::VarDecl& variable);
  Place element_place(const clang::ArraySubscriptExpr* element);
  Place member_place(const clang::MemberExpr* member);
  Place member_place(const Place& whole, const clang::FieldDecl& member);
  Place cast_place(const clang::CastExpr* cast);
  Place made_place(const clang::Expr* expression);
  Place text_place(const clang::StringLiteral* text);
  Value assign(const clang::BinaryOperator* operation);
  Value assign_and_compute(const clang::CompoundAssignOperator* operation);
  Value step(const clang::UnaryOperator* operation);
  Value scalar_of_cpp(const clang::Expr* expression);
  Value logical(const clang::BinaryOperator* operation);
  Value compare(const clang::BinaryOperator* operation);
  Value pointer_arithmetic(const clang::BinaryOperator* operation);

  ModuleConverter& module_;
  const clang::FunctionDecl& declaration_;
  ir::Function& function_;
  ir::Builder builder_;
  Usage usage_;
  std::unordered_map<const clang::ValueDecl*, Place> places_;
  std::unordered_map<const clang::ValueDecl*, Value> values_;  // of variables that never change
  Value this_ = nullptr;
  Value result_ = nullptr;  // where a struct is returned
  std::int64_t level_ = 0;
  std::vector<Jumps> jumps_;
};

}  // namespace phalanx::cudac
