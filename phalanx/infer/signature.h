// Signature strings and type expressions, as Numba writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/ir/types.h"

namespace phalanx::infer {

struct ParsedSignature {
  std::optional<ir::Type> result;  // none for `void(...)`; nothing where only arguments are given
  std::vector<ir::Type> arguments;
};

// "void(float32[::1], int64)", "f4[:], i8", "(f4[:, ::1],)", "Tuple((int64, f8))(int64)". Arrays
// are in global memory. A text that does not parse throws TypeError, which shows the spot:
//     signature: there is no type 'flaot32'
//       void(flaot32[:])
//            ^^^^^^^
ParsedSignature parse_signature(std::string_view text);

// One type: "float32[:, :]", "UniTuple(f4, 3)", "(f4, i8)", "CPointer(f4)",
// "Array(f4, 2, 'C', readonly=True)", "void".
ir::Type parse_numba_type(std::string_view text);

}  // namespace phalanx::infer
