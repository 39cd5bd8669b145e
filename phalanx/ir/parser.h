// Reads the IR's text, as `print` writes it. Comments run from `#` to the end of the line.
#pragma once

#include <memory>
#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// Both throw ValueError with line and column where the text is wrong. What is read is well formed
// only as text: `verify` judges the rest.
PHX_API std::unique_ptr<Module> parse(std::string_view text);
PHX_API Type parse_type(std::string_view text);

}  // namespace phalanx::ir
