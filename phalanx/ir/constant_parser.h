// Scalar constants of the IR's text; private to the parser.
#pragma once

#include <vector>

#include "phalanx/ir/ir.h"
#include "phalanx/ir/token_stream.h"

namespace phalanx::ir {

// A constant's tokens, kept until its type is known: `12`, `true`, `-inf`, `(1.0, 2.5)`.
struct ConstantText {
  std::vector<Token> parts;  // one, or two of a complex number
};

ConstantText take_constant(TokenStream& tokens);
Constant as_constant(const ConstantText& text, DType dtype);

}  // namespace phalanx::ir
