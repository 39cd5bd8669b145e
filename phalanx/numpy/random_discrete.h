// Draws of whole numbers; operands and results as numpy/random.h has them.
#pragma once

#include "phalanx/numpy/arithmetic.h"

namespace phalanx::numpy {

Value draw_integers(ir::Builder& builder, const Values& operands);
Value draw_poisson(ir::Builder& builder, const Values& operands);
Value draw_binomial(ir::Builder& builder, const Values& operands);
Value draw_geometric(ir::Builder& builder, const Values& operands);
Value draw_logseries(ir::Builder& builder, const Values& operands);
Value draw_zipf(ir::Builder& builder, const Values& operands);

}  // namespace phalanx::numpy
