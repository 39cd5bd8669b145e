// Indices of threads, which CUDA C computes in unsigned integers of 32 bits. Launches of CUDA C
// have fewer than 2^31 threads along a dimension, and at most 2^25 blocks, so that they do not
// wrap; nor does blockIdx by a constant in place of blockDim.
#pragma once

#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

// x op y where that is blockIdx * blockDim + threadIdx of one dimension, in the form that analyses
// look for; else nullptr.
ir::Operation* grid_position(ir::Builder& builder, ir::Op op, ir::Operation* x, ir::Operation* y);

// An int that was converted for an unsigned sum with such an index, which is an int again, as in
// i += blockDim.x * gridDim.x: the sum of ints; else nullptr.
ir::Operation* signed_sum(ir::Builder& builder, const ir::Operation& sum);

// True if a sum or a product of such indices and of constants stays below 2^31.
bool is_small(const ir::Operation& value);

}  // namespace phalanx::cudac
