// Builds the arrays that a kernel has of its own, and accesses with a cache operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "phalanx/ir/builder.h"

namespace phalanx::ir {

Builder::Value shared_array(Builder& builder, Type element, std::vector<std::int64_t> shape);
Builder::Value dynamic_shared_array(Builder& builder, Type element);
Builder::Value sized_shared_array(Builder& builder, Type element, Builder::Values extents);
Builder::Value local_array(Builder& builder, Type element, std::vector<std::int64_t> shape);
Builder::Value constant_array(Builder& builder, const Module& module, std::size_t index);

// How much a CPU function has allocated until now: see structure_ops.def.
Builder::Value memory_mark(Builder& builder);

Builder::Value hinted_load(Builder& builder, CacheOperator cache, Builder::Value pointer);
void hinted_store(
    Builder& builder, CacheOperator cache, Builder::Value pointer, Builder::Value value);

}  // namespace phalanx::ir
