// Functions that CUDA C has and that no header defines.
#pragma once

#include <optional>

#include "phalanx/cudac/function_converter.h"

namespace phalanx::cudac {

// Both give nothing where the function is none of theirs; a null value where it returns nothing.
//
// Operations of the IR, and libdevice's functions.
std::optional<Value> intrinsic(
    FunctionConverter& c,
    const clang::CallExpr* call,
    const clang::FunctionDecl& callee,
    const Values& arguments);
// Those that look at the expressions themselves: printf, assert.
std::optional<Value> special_call(
    FunctionConverter& c, const clang::CallExpr* call, const clang::FunctionDecl& callee);

// new, delete, malloc and free.
[[noreturn]] void refuse_heap(const FunctionConverter& c, const clang::Expr* expression);

// threadIdx.x and its relatives, and threadIdx as a whole.
std::optional<Value> thread_query(FunctionConverter& c, const clang::MemberExpr* member);
std::optional<LValue> thread_place(FunctionConverter& c, const clang::DeclRefExpr* name);

// operators.cpp: the place that an assignment, ++n or --n gives; nothing for others.
std::optional<LValue> changed_place(FunctionConverter& c, const clang::Expr* expression);

// casts.cpp: the value of what lies at a place.
Value read(FunctionConverter& c, const clang::Expr* from);
// operators.cpp: finds what others refer to; of a choice the operand that `a ?: b` has in common.
void bind(FunctionConverter& c, const clang::OpaqueValueExpr& operand);
void bind_common(FunctionConverter& c, const clang::AbstractConditionalOperator* expression);

// indirect.cpp: pointers to functions, and objects with virtual methods. What is called gives its
// object at `result`, where it gives one.
Value function_pointer(
    FunctionConverter& c, const clang::FunctionDecl& function, clang::SourceLocation where);
Value call_indirectly(
    FunctionConverter& c, const clang::CallExpr* expression, const LValue* result);
Value call_virtual(
    FunctionConverter& c, const clang::CXXMethodDecl& method, Values values, const LValue* result);
// An object's class, which its virtual methods are chosen by.
void set_class(FunctionConverter& c, const clang::CXXRecordDecl& record, const LValue& object);
// calls.cpp: what such a function is given.
Values arguments_of(
    FunctionConverter& c, const clang::CallExpr& call, const clang::FunctionProtoType& type);

// bit_fields.cpp: `bit` is where in its struct the member begins.
LValue bit_field(
    FunctionConverter& c, const LValue& whole, const clang::FieldDecl& member, std::uint64_t bit);
Value load_bits(FunctionConverter& c, const LValue& from);
void store_bits(FunctionConverter& c, const LValue& target, Value value);
// places.cpp: where in a class the base is that the cast leads to, or comes from.
std::int64_t base_offset(
    const FunctionConverter& c, const clang::CXXRecordDecl* whole, const clang::CastExpr* cast);

// assembly.cpp
void assembly(FunctionConverter& c, const clang::GCCAsmStmt* statement);
// scopes.cpp
void compound(FunctionConverter& c, const clang::CompoundStmt* statement);
// Declares what has no value, and takes it from the statements: a jump may pass over it, and what a
// block declares may be used behind the block.
void declare_early(FunctionConverter& c, std::vector<const clang::Stmt*>& statements);
// switches.cpp
void switch_over(FunctionConverter& c, const clang::SwitchStmt* statement);

}  // namespace phalanx::cudac
