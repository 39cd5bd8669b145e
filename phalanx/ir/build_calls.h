// Builds parallel loops, calls of libraries, and what is told to the host.
#pragma once

#include <string>
#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/ir/builder.h"

namespace phalanx::ir {

// The operands of a parallel loop: the number of chunks, their size, and the arguments of the body.
inline constexpr std::size_t first_parallel_argument = 2;
PHX_API void parallel(
    Builder& builder,
    Function& body,
    Builder::Value chunks,
    Builder::Value size,
    const Builder::Values& arguments);
PHX_API Builder::Value parallel_lanes(Builder& builder, Function& body);
// A function of libdevice.h.
PHX_API Builder::Value library(
    Builder& builder, std::string_view name, Type result, Builder::Values arguments);
// PTX, as assembly.h has its text. The result is none, a number, or a tuple of numbers.
PHX_API Builder::Value assembly(
    Builder& builder, std::string text, Type result, Builder::Values values);
PHX_API void print(Builder& builder, std::string format, Builder::Values values);
PHX_API void report_if(Builder& builder, Builder::Value condition, Report report);

}  // namespace phalanx::ir
