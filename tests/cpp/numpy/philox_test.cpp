#include "phalanx/numpy/philox.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "phalanx/ir/constants.h"

namespace phalanx::numpy {
namespace {

using Words = std::array<std::uint32_t, 4>;

// What constants alone decide is a constant.
Words philox_of(const Words& counter, const std::array<std::uint32_t, 2>& key) {
  ir::Module module;
  ir::Builder builder(ir::add_function(module, "words", ir::FunctionKind::kernel, {}));
  const auto word = [&](std::uint32_t value) { return builder.integer(value, DType::uint32); };
  const PhiloxBlock made = philox(
      builder,
      {word(counter[0]), word(counter[1]), word(counter[2]), word(counter[3])},
      {word(key[0]), word(key[1])});
  Words words{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(made.at(i)->op, ir::Op::constant);
    words.at(i) = static_cast<std::uint32_t>(std::get<std::int64_t>(made.at(i)->constant));
  }
  return words;
}

// The known answers that come with the authors' library, Random123 1.14 (kat_vectors).
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(
      philox_of({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t all = 0xffffffff;
  EXPECT_EQ(
      philox_of({all, all, all, all}, {all, all}),
      (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox_of({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

}  // namespace
}  // namespace phalanx::numpy
