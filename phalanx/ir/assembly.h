// The text of Op::assembly: "volatile =r,r,~{memory} add.u32 $0, $1, 2;" is constraints of LLVM's
// inline assembly, a space, and the instructions. `volatile` is missing where instructions whose
// values nobody uses may go.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace phalanx::ir {

struct Assembly {
  bool is_volatile = false;
  std::string_view constraints;
  std::string_view text;
};

inline constexpr std::string_view volatile_word = "volatile ";

inline std::string assembly_text(const Assembly& assembly) {
  return std::string(assembly.is_volatile ? volatile_word : "") +
         std::string(assembly.constraints) + " " + std::string(assembly.text);
}

// Nothing where no space ends the constraints.
inline std::optional<Assembly> read_assembly(std::string_view text) {
  Assembly result;
  result.is_volatile = text.starts_with(volatile_word);
  if (result.is_volatile)
    text.remove_prefix(volatile_word.size());
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos)
    return std::nullopt;
  result.constraints = text.substr(0, space);
  result.text = text.substr(space + 1);
  return result;
}

}  // namespace phalanx::ir
