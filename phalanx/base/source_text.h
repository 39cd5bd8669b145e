// Lines of a source file, as error messages show them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phalanx/base/source.h"

namespace phalanx {

// "" where the line is not in the text that we have.
std::string_view text_of_line(const SourceFile& file, std::uint32_t line);

// "file:line: in `function`", the line, its caret, the text and what to write instead.
std::string describe_at(
    const SourceFile& file,
    const Location& where,
    std::string_view function,
    std::string_view text,
    std::string_view advice = {});

}  // namespace phalanx
