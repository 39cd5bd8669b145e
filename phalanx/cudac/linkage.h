// Functions that other modules call, and functions of other modules.
#pragma once

#include <clang/AST/Decl.h>

#include "phalanx/cudac/module_converter.h"

namespace phalanx::cudac {

// True for a function with a body that other translation units see: neither static nor inline, nor
// of a header of ours, and of types that can cross.
bool is_visible_function(clang::ASTContext& context, const clang::FunctionDecl& function);

// True for one that is declared only, to be a function of another module.
bool is_foreign_function(clang::ASTContext& context, const clang::FunctionDecl& function);

// Adds what other modules see of a function to the module, as `kind`: its parameters and its result
// are those of linked_type(). Throws Refused for types that cannot cross.
ir::Function& add_linked(
    ModuleConverter& module, const clang::FunctionDecl& function, ir::FunctionKind kind);

// The body of an exported function: a call of the one that C's calls call.
void convert_export(
    ModuleConverter& module, const clang::FunctionDecl& function, ir::Function& exported);

// The body of what C's calls call in the place of a function of another module.
void convert_import(
    ModuleConverter& module, const clang::FunctionDecl& function, ir::Function& called);

}  // namespace phalanx::cudac
