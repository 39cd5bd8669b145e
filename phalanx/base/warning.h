// What users are told of a correct program: what could be faster, a cache that cannot be used.
#pragma once

#include <cstdint>
#include <string>

namespace phalanx {

struct Warning {
  enum class Kind : std::uint8_t { cache, float64, stride, parallel, fallback };
  static constexpr Kind last = Kind::fallback;

  Kind kind = Kind::cache;
  std::string text;       // one sentence, without the location and a full stop
  std::string file = {};  // where it belongs; empty: nowhere
  std::int64_t line = 0;
  std::string source_line = {};  // finds the line again where the file was edited

  bool operator==(const Warning&) const = default;
};

}  // namespace phalanx
