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

// threadIdx.x and its relatives, and threadIdx as a whole.
std::optional<Value> thread_query(FunctionConverter& c, const clang::MemberExpr* member);
std::optional<LValue> thread_place(FunctionConverter& c, const clang::DeclRefExpr* name);

// operators.cpp: the place that an assignment, ++n or --n gives; nothing for others.
std::optional<LValue> changed_place(FunctionConverter& c, const clang::Expr* expression);

// switches.cpp
void switch_over(FunctionConverter& c, const clang::SwitchStmt* statement);

}  // namespace phalanx::cudac
