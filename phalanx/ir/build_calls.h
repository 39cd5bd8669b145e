// Builds parallel loops, calls of libraries, and what is told to the host.
#pragma once

#include <string>
#include <string_view>

#include "phalanx/ir/builder.h"

namespace phalanx::ir {

// The operands of a parallel loop: the number of chunks, their size, and the arguments of the body.
inline constexpr std::size_t first_parallel_argument = 2;
void parallel(
    Builder& builder,
    Function& body,
    Builder::Value chunks,
    Builder::Value size,
    const Builder::Values& arguments);
Builder::Value parallel_lanes(Builder& builder, Function& body);
// A function of libdevice.h.
Builder::Value library(
    Builder& builder, std::string_view name, Type result, Builder::Values arguments);
void print(Builder& builder, std::string format, Builder::Values values);
void report_if(Builder& builder, Builder::Value condition, Report report);

}  // namespace phalanx::ir
