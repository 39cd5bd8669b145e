// Builds the arrays that a kernel has of its own, and accesses with a cache operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/builder.h"

namespace phalanx::ir {

PHX_API Builder::Value shared_array(
    Builder& builder, Type element, std::vector<std::int64_t> shape);
PHX_API Builder::Value dynamic_shared_array(Builder& builder, Type element);
PHX_API Builder::Value sized_shared_array(Builder& builder, Type element, Builder::Values extents);
PHX_API Builder::Value local_array(Builder& builder, Type element, std::vector<std::int64_t> shape);
PHX_API Builder::Value constant_array(Builder& builder, const Module& module, std::size_t index);
PHX_API Builder::Value global_array(Builder& builder, const Module& module, std::size_t index);

// How much a CPU function has allocated until now: see structure_ops.def.
PHX_API Builder::Value memory_mark(Builder& builder);

PHX_API Builder::Value hinted_load(Builder& builder, CacheOperator cache, Builder::Value pointer);
PHX_API void hinted_store(
    Builder& builder, CacheOperator cache, Builder::Value pointer, Builder::Value value);

}  // namespace phalanx::ir
