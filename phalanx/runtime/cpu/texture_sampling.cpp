// CUDA C++ Programming Guide, appendix "Texture Fetching", says what is computed. For a texture of
// N elements in a dimension, and x the coordinate there (times N where coordinates are normalized):
//   point    T[i], i = floor(x)
//   linear   (1 - a) T[i] + a T[i + 1], xB = x - 0.5, i = floor(xB), a = frac(xB)
//            "stored in 9-bit fixed point format with 8 bits of fractional value"; in two and three
//            dimensions the products of the dimensions' weights
// and outside of [0, N): clamp takes the nearest element, border the border's colour, wrap i mod N,
// mirror every other repetition backwards.
// Of the border's colour it says nothing: that it is rounded to the elements' format, and how, was
// measured on an H100.
#include "phalanx/runtime/cpu/texture_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>

namespace phalanx::runtime::cpu {

namespace {

constexpr unsigned most_dimensions = 3;
constexpr std::int64_t outside = -1;
using Place = std::array<std::int64_t, most_dimensions>;

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
struct Half {
  std::uint16_t bits;
};

float value_of(Half half) {
  const float sign = (half.bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  const int exponent = half.bits >> 10 & 0x1f;
  const auto fraction = static_cast<float>(half.bits & 0x3ffU);
  if (exponent == 0)
    return sign * std::ldexp(fraction, -24);
  if (exponent == 0x1f)
    return fraction == 0 ? sign * INFINITY : NAN;
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}
float value_of(float value) { return value; }
template <std::integral T>
float value_of(T value) {
  constexpr double largest = std::numeric_limits<T>::max();
  return static_cast<float>(std::max(static_cast<double>(value) / largest, -1.0));
}

// IEC 61966-2-1
float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

// A border's colour as elements of that kind hold it. Halves are cut. Of [0, 1] and [-1, 1] the
// colour is cut to one bit more than an element has, then it becomes the nearest step, of two the
// one nearer to 0; what is no number is 0.
float border_as(Half, float colour) {
  constexpr float largest = 65504;
  constexpr float least_normal = 0x1p-14F;
  if (std::isnan(colour) || std::isinf(colour))
    return colour;
  int exponent = 0;
  std::frexp(std::max(std::abs(colour), least_normal), &exponent);
  const float step = std::ldexp(1.0F, exponent - 11);
  return std::clamp(std::trunc(colour / step) * step, -largest, largest);
}
float border_as(float, float colour) { return colour; }
template <std::integral T>
float border_as(T, float colour) {
  constexpr double largest = std::numeric_limits<T>::max();
  if (std::isnan(colour))
    return 0;
  constexpr double steps = std::uint64_t{2} << (8 * sizeof(T));
  const double clamped = std::clamp(colour, std::is_signed_v<T> ? -1.0F : 0.0F, 1.0F);
  const double cut = std::trunc(std::abs(clamped) * steps) / steps;
  return static_cast<float>(std::copysign(std::ceil(cut * largest - 0.5) / largest, clamped));
}

// What numbers beyond any texture and NaN become is as good as anything.
std::int64_t floor_of(double value) {
  constexpr double far = 1U << 31;
  if (!(value > -far && value < far))
    return value > 0 ? std::int64_t{1} << 31 : -(std::int64_t{1} << 31);
  const auto whole = static_cast<std::int64_t>(value);
  return whole - (value < static_cast<double>(whole) ? 1 : 0);
}

double scaled(const TextureDescription& texture, unsigned dimension, float coordinate) {
  const double extent = texture.sampler.has_normalized_coordinates
                            ? static_cast<double>(texture.extent[dimension])
                            : 1;
  return coordinate * extent;
}

// The two neighbours in a dimension, and the weight of the second.
struct Neighbours {
  std::array<std::int64_t, 2> at = {};
  std::array<double, 2> weight = {1, 0};
};

Neighbours neighbours(const TextureDescription& texture, unsigned dimension, float coordinate) {
  constexpr double steps = 256;  // of a weight
  const double x = scaled(texture, dimension, coordinate) - 0.5;
  const std::int64_t first = floor_of(x);
  const double fraction = x - static_cast<double>(first);
  const double second =
      fraction >= 0 && fraction <= 1 ? static_cast<int>(fraction * steps + 0.5) / steps : 0;
  Neighbours found = {.weight = {1 - second, second}};
  for (unsigned i = 0; i < 2; ++i)
    found.at[i] =
        addressed(texture.sampler.address[dimension], first + i, texture.extent[dimension]);
  return found;
}

// A texture of elements whose channels are `T`. Channels that elements do not have are 0.
template <typename T>
class Reader {
 public:
  explicit Reader(const TextureDescription& texture) : texture_(texture) {}

  Texel nearest(const Place& place) const {
    Texel texel = {};
    const std::byte* const memory = element(place);
    for (unsigned i = 0; i < texture_.format.channels; ++i)
      texel[i] = memory == nullptr ? border_bits(i) : bits_at(memory, i);
    return texel;
  }

  Texel interpolated(const std::array<float, 3>& point) const {
    std::array<Neighbours, most_dimensions> around;
    for (unsigned d = 0; d < texture_.dimensions; ++d)
      around[d] = neighbours(texture_, d, point[d]);
    std::array<double, 4> sum = {};
    for (unsigned corner = 0; corner < 1U << texture_.dimensions; ++corner) {
      Place place = {};
      double weight = 1;
      for (unsigned d = 0; d < texture_.dimensions; ++d) {
        const unsigned side = corner >> d & 1U;
        place[d] = around[d].at[side];
        weight *= around[d].weight[side];
      }
      if (weight != 0)
        add(sum, weight, element(place));
    }
    Texel texel = {};
    for (unsigned i = 0; i < texture_.format.channels; ++i)
      texel[i] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[i]));
    return texel;
  }

 private:
  static constexpr bool is_integer = std::integral<T>;

  // Null for the border.
  const std::byte* element(const Place& place) const {
    if ((place[0] | place[1] | place[2]) < 0)
      return nullptr;
    const std::int64_t row = place[2] * texture_.extent[1] + place[1];
    return texture_.memory + static_cast<std::size_t>(row) * texture_.pitch +
           static_cast<std::size_t>(place[0]) * sizeof(T) * texture_.format.channels;
  }

  static T channel_at(const std::byte* memory, unsigned channel) {
    T value;
    std::memcpy(&value, memory + channel * sizeof(T), sizeof(T));
    return value;
  }

  float float_at(const std::byte* memory, unsigned channel) const {
    const float value = value_of(channel_at(memory, channel));
    return texture_.sampler.is_srgb && is_integer && channel < 3 ? linear_of_srgb(value) : value;
  }

  std::uint32_t bits_at(const std::byte* memory, unsigned channel) const {
    if constexpr (is_integer) {
      if (!texture_.sampler.reads_normalized)
        return static_cast<std::uint32_t>(channel_at(memory, channel));
    }
    return std::bit_cast<std::uint32_t>(float_at(memory, channel));
  }

  float border_float(unsigned channel) const {
    const float colour = border_as(T{}, texture_.sampler.border[channel]);
    return texture_.sampler.is_srgb && is_integer && channel < 3 ? linear_of_srgb(colour) : colour;
  }

  std::uint32_t border_bits(unsigned channel) const {
    if constexpr (is_integer) {
      // The bits of the float itself: programs that want an integer's put them there.
      if (!texture_.sampler.reads_normalized)
        return static_cast<std::uint32_t>(
            static_cast<T>(std::bit_cast<std::uint32_t>(texture_.sampler.border[channel])));
    }
    return std::bit_cast<std::uint32_t>(border_float(channel));
  }

  void add(std::array<double, 4>& sum, double weight, const std::byte* memory) const {
    for (unsigned i = 0; i < texture_.format.channels; ++i)
      sum[i] += weight * (memory == nullptr ? border_float(i) : float_at(memory, i));
  }

  const TextureDescription& texture_;
};

template <typename Use>
Texel with_reader(const TextureDescription& texture, const Use& use) {
  const unsigned bits = texture.format.bits;
  switch (texture.format.kind) {
    case ChannelKind::signed_integer:
      return bits == 8    ? use(Reader<std::int8_t>(texture))
             : bits == 16 ? use(Reader<std::int16_t>(texture))
                          : use(Reader<std::int32_t>(texture));
    case ChannelKind::unsigned_integer:
      return bits == 8    ? use(Reader<std::uint8_t>(texture))
             : bits == 16 ? use(Reader<std::uint16_t>(texture))
                          : use(Reader<std::uint32_t>(texture));
    default:
      return bits == 16 ? use(Reader<Half>(texture)) : use(Reader<float>(texture));
  }
}

}  // namespace

Texel sample(const TextureDescription& texture, const std::array<float, 3>& point) {
  if (texture.sampler.filter == FilterMode::linear)
    return with_reader(texture, [&](const auto& reader) { return reader.interpolated(point); });
  Place place = {};
  for (unsigned d = 0; d < texture.dimensions; ++d)
    place[d] = addressed(
        texture.sampler.address[d], floor_of(scaled(texture, d, point[d])), texture.extent[d]);
  return with_reader(texture, [&](const auto& reader) { return reader.nearest(place); });
}

Texel element_at(const TextureDescription& texture, std::int64_t index) {
  const Place place = {addressed(texture.sampler.address[0], index, texture.extent[0]), 0, 0};
  return with_reader(texture, [&](const auto& reader) { return reader.nearest(place); });
}

}  // namespace phalanx::runtime::cpu
