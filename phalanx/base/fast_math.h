// What floating-point code may take for granted: LLVM's fast-math flags, as a set.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace phalanx {

enum class FastFlag : std::uint8_t {
  nnan,      // no value is NaN
  ninf,      // no value is infinite
  nsz,       // the sign of a zero does not matter
  arcp,      // x / y may be x * (1 / y)
  contract,  // a * b + c may be one operation
  afn,       // functions may be approximate
  reassoc,   // sums and products may be reordered
};

// Their names in Python, in the order of the bits.
inline constexpr std::array<std::string_view, 7> fast_flag_names = {
    "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"};

class FastMath {
 public:
  constexpr FastMath() = default;
  constexpr explicit FastMath(std::uint32_t bits) : bits_(static_cast<std::uint8_t>(bits)) {}
  constexpr FastMath(std::initializer_list<FastFlag> flags) {
    for (const FastFlag flag : flags) bits_ = static_cast<std::uint8_t>(bits_ | bit(flag));
  }
  static constexpr FastMath all() { return FastMath((1U << fast_flag_names.size()) - 1); }

  constexpr bool has(FastFlag flag) const { return (bits_ & bit(flag)) != 0; }
  // fastmath=True: what has no flag is allowed too, such as flushing subnormals to zero.
  constexpr bool is_all() const { return *this == all(); }
  constexpr std::uint32_t bits() const { return bits_; }
  constexpr bool operator==(const FastMath&) const = default;

 private:
  static constexpr std::uint8_t bit(FastFlag flag) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(flag));
  }

  std::uint8_t bits_ = 0;
};

}  // namespace phalanx
