// CUDA C++ Programming Guide, appendix "Texture Fetching", says what is computed. For a texture of
// N elements in a dimension, and x the coordinate there (times N where coordinates are normalized):
//   point    T[i], i = floor(x)
//   linear   (1 - a) T[i] + a T[i + 1], xB = x - 0.5, i = floor(xB), a = frac(xB)
//            "stored in 9-bit fixed point format with 8 bits of fractional value"; in two and three
//            dimensions the products of the dimensions' weights
// and outside of [0, N): clamp takes the nearest element, border the border's colour, wrap i mod N,
// mirror every other repetition backwards.
#include "phalanx/runtime/cpu/texture_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace phalanx::runtime::cpu {

namespace {

constexpr unsigned most_dimensions = 3;
constexpr std::int64_t outside = -1;
using Place = std::array<std::int64_t, most_dimensions>;
using Colour = std::array<double, 4>;

std::int64_t modulo(std::int64_t i, std::int64_t n) {
  const std::int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

std::int64_t addressed(AddressMode mode, std::int64_t i, std::int64_t n) {
  if (i >= 0 && i < n)
    return i;
  switch (mode) {
    case AddressMode::wrap:
      return modulo(i, n);
    case AddressMode::mirror: {
      const std::int64_t within = modulo(i, 2 * n);
      return within < n ? within : 2 * n - 1 - within;
    }
    case AddressMode::clamp:
      return std::clamp<std::int64_t>(i, 0, n - 1);
    case AddressMode::border:
      break;
  }
  return outside;
}

// IEEE's format of 16 bits: 1 sign, 5 of exponent, 10 of fraction.
float half_value(std::uint16_t bits) {
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  const int exponent = bits >> 10 & 0x1f;
  const auto fraction = static_cast<float>(bits & 0x3ffU);
  if (exponent == 0)
    return sign * std::ldexp(fraction, -24);
  if (exponent == 0x1f)
    return fraction == 0 ? sign * INFINITY : NAN;
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

// IEC 61966-2-1, of a channel of 8 bits.
float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

template <typename T>
T read_as(const std::byte* memory) {
  T value;
  std::memcpy(&value, memory, sizeof(value));
  return value;
}

// A channel, sign- or zero-extended.
std::int64_t read_integer(const ChannelFormat& format, const std::byte* memory) {
  const bool is_signed = format.kind == ChannelKind::signed_integer;
  switch (format.bits) {
    case 8:
      return is_signed ? read_as<std::int8_t>(memory) : std::int64_t{read_as<std::uint8_t>(memory)};
    case 16:
      return is_signed ? read_as<std::int16_t>(memory)
                       : std::int64_t{read_as<std::uint16_t>(memory)};
    default:
      return is_signed ? read_as<std::int32_t>(memory)
                       : std::int64_t{read_as<std::uint32_t>(memory)};
  }
}

float normalized(const ChannelFormat& format, std::int64_t value) {
  const bool is_signed = format.kind == ChannelKind::signed_integer;
  const auto largest =
      static_cast<double>((std::int64_t{1} << (format.bits - (is_signed ? 1 : 0))) - 1);
  return static_cast<float>(std::max(static_cast<double>(value) / largest, -1.0));
}

class Reader {
 public:
  explicit Reader(const TextureDescription& texture) : texture_(texture) {}

  bool gives_floats() const {
    return texture_.format.kind == ChannelKind::floating || texture_.sampler.reads_normalized;
  }

  Texel texel(const Place& place) const {
    Texel texel = {};
    for (std::size_t i = 0; i < texel.size(); ++i) texel[i] = bits_of(place, i);
    return texel;
  }

  Colour colour(const Place& place) const {
    Colour colour = {};
    const Texel texel = this->texel(place);
    for (std::size_t i = 0; i < colour.size(); ++i) colour[i] = std::bit_cast<float>(texel[i]);
    return colour;
  }

 private:
  static bool is_outside(const Place& place) {
    return std::ranges::find(place, outside) != place.end();
  }

  std::uint32_t bits_of(const Place& place, std::size_t channel) const {
    if (is_outside(place)) {
      const float border = texture_.sampler.border[channel];
      return gives_floats() ? std::bit_cast<std::uint32_t>(border)
                            : static_cast<std::uint32_t>(static_cast<std::int64_t>(border));
    }
    const ChannelFormat& format = texture_.format;
    if (channel >= format.channels)
      return 0;
    const std::int64_t row = place[2] * texture_.extent[1] + place[1];
    const std::byte* memory = texture_.memory + static_cast<std::size_t>(row) * texture_.pitch +
                              static_cast<std::size_t>(place[0]) * format.bytes() +
                              channel * format.bits / 8;
    if (format.kind == ChannelKind::floating)
      return std::bit_cast<std::uint32_t>(
          format.bits == 16 ? half_value(read_as<std::uint16_t>(memory)) : read_as<float>(memory));
    const std::int64_t value = read_integer(format, memory);
    if (!texture_.sampler.reads_normalized)
      return static_cast<std::uint32_t>(value);
    float result = normalized(format, value);
    if (texture_.sampler.is_srgb && channel < 3)
      result = linear_of_srgb(result);
    return std::bit_cast<std::uint32_t>(result);
  }

  const TextureDescription& texture_;
};

// What numbers beyond any texture and NaN become is as good as anything.
std::int64_t whole(double value) {
  constexpr double far = 1U << 31;
  return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(std::floor(value), -far, far));
}

double scaled(const TextureDescription& texture, unsigned dimension, float coordinate) {
  const double extent =
      texture.sampler.has_normalized_coordinates ? static_cast<double>(texture.extent[dimension]) : 1;
  return coordinate * extent;
}

Texel nearest(const TextureDescription& texture, const std::array<float, 3>& point) {
  Place place = {};
  for (unsigned d = 0; d < most_dimensions; ++d)
    place[d] = addressed(
        texture.sampler.address[d], whole(scaled(texture, d, point[d])), texture.extent[d]);
  return Reader(texture).texel(place);
}

// The two neighbours in a dimension, and the weight of the second.
struct Neighbours {
  std::array<std::int64_t, 2> at = {};
  std::array<double, 2> weight = {1, 0};
};

Neighbours neighbours(const TextureDescription& texture, unsigned dimension, float coordinate) {
  constexpr double steps = 256;  // of a weight
  const double x = scaled(texture, dimension, coordinate) - 0.5;
  const std::int64_t first = whole(x);
  const double fraction = x - static_cast<double>(first);
  const double second = fraction >= 0 && fraction <= 1 ? std::rint(fraction * steps) / steps : 0;
  Neighbours found = {.weight = {1 - second, second}};
  for (unsigned i = 0; i < 2; ++i)
    found.at[i] = addressed(
        texture.sampler.address[dimension], first + i, texture.extent[dimension]);
  return found;
}

Texel interpolated(const TextureDescription& texture, const std::array<float, 3>& point) {
  std::array<Neighbours, most_dimensions> around;
  for (unsigned d = 0; d < texture.dimensions; ++d) around[d] = neighbours(texture, d, point[d]);
  const Reader reader(texture);
  Colour sum = {};
  for (unsigned corner = 0; corner < 1U << texture.dimensions; ++corner) {
    Place place = {};
    double weight = 1;
    for (unsigned d = 0; d < texture.dimensions; ++d) {
      const unsigned side = corner >> d & 1U;
      place[d] = around[d].at[side];
      weight *= around[d].weight[side];
    }
    if (weight == 0)
      continue;
    const Colour colour = reader.colour(place);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * colour[i];
  }
  Texel texel;
  for (std::size_t i = 0; i < sum.size(); ++i)
    texel[i] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[i]));
  return texel;
}

}  // namespace

Texel sample(const TextureDescription& texture, const std::array<float, 3>& point) {
  const bool is_linear =
      texture.sampler.filter == FilterMode::linear && Reader(texture).gives_floats();
  return is_linear ? interpolated(texture, point) : nearest(texture, point);
}

Texel element_at(const TextureDescription& texture, std::int64_t index) {
  return Reader(texture).texel(
      {addressed(texture.sampler.address[0], index, texture.extent[0]), 0, 0});
}

}  // namespace phalanx::runtime::cpu
