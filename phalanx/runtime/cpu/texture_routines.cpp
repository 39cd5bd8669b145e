// What the code of kernels calls for textures and surfaces, for the lanes of a warp whose bit of
// `running` is set. Values of lanes lie one channel or coordinate after another, `lanes` of each.
//
//     texture_fetch.T   T: type of the coordinates; `memory`: four words a lane; `shape`:
//     dimensions surface_load.T    T: type of a channel; `shape`: dimensions, channels << 8,
//     boundary << 16 surface_store.T   likewise
// Each gives the lanes that it refused, which read 0 and write nothing: those whose object is none,
// and those that are outside where the boundary is a trap.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "phalanx/runtime/cpu/routine_table.h"
#include "phalanx/runtime/cpu/texture_handles.h"
#include "phalanx/runtime/cpu/texture_sampling.h"

namespace phalanx::runtime::cpu {

namespace {

// As ir::SurfaceBoundary.
enum class Boundary : std::uint8_t { trap, clamp, zero };

// Of the objects of lanes, which mostly are one.
class Descriptions {
 public:
  explicit Descriptions(const std::uint64_t* objects) : objects_(objects) {}

  // Null where the lane's object is none.
  const TextureDescription* of(std::int64_t lane) {
    if (objects_[lane] != handle_) {
      handle_ = objects_[lane];
      description_ = texture_of(handle_);
    }
    return description_;
  }

 private:
  const std::uint64_t* objects_;
  std::uint64_t handle_ = 0;
  const TextureDescription* description_ = nullptr;
};

// `visit` says whether it could do what the lane wants; those that it refused are the result.
template <typename Visit>
std::int64_t for_each_lane(std::int64_t running, Visit&& visit) {
  std::uint64_t refused = 0;
  for (auto left = static_cast<std::uint64_t>(running); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (!visit(static_cast<std::int64_t>(lane)))
      refused |= std::uint64_t{1} << lane;
  }
  return static_cast<std::int64_t>(refused);
}

template <typename Coordinate>
std::int64_t fetch(
    std::uint32_t* memory,
    const Coordinate* coordinates,
    const std::uint64_t* objects,
    std::int64_t dimensions,
    std::int64_t lanes,
    std::int64_t running) {
  Descriptions descriptions(objects);
  return for_each_lane(running, [&](std::int64_t lane) {
    const TextureDescription* texture = descriptions.of(lane);
    Texel texel = {};
    if (texture == nullptr) {
      // It reads 0.
    } else if constexpr (std::is_same_v<Coordinate, float>) {
      std::array<float, 3> point = {};
      for (std::int64_t d = 0; d < std::min<std::int64_t>(dimensions, 3); ++d)
        point[static_cast<std::size_t>(d)] = coordinates[d * lanes + lane];
      texel = sample(*texture, point);
    } else {
      texel = element_at(*texture, coordinates[lane]);
    }
    for (std::size_t i = 0; i < texel.size(); ++i)
      memory[static_cast<std::int64_t>(i) * lanes + lane] = texel[i];
    return texture != nullptr;
  });
}

// An access of a surface by one lane.
struct Access {
  std::int64_t dimensions;
  std::int64_t channels;
  Boundary boundary;
  std::int64_t bytes;  // of all channels

  // `shape` as the routines take it.
  Access(std::int64_t shape, std::size_t channel_bytes)
      : dimensions(shape & 0xff),
        channels(shape >> 8 & 0xff),
        boundary(static_cast<Boundary>(shape >> 16 & 0xff)),
        bytes(channels * static_cast<std::int64_t>(channel_bytes)) {}

  // Null where it is outside. Clamping takes the nearest whole element.
  std::byte* address(
      const TextureDescription& surface, const std::int32_t* position, std::int64_t lanes) const {
    const std::int64_t row_bytes =
        surface.extent[0] * static_cast<std::int64_t>(surface.format.bytes());
    std::array<std::int64_t, 3> place = {};
    for (std::int64_t d = 0; d < std::min<std::int64_t>(dimensions, 3); ++d) {
      const auto dimension = static_cast<std::size_t>(d);
      const std::int64_t last = d == 0 ? std::max<std::int64_t>(row_bytes / bytes - 1, 0) * bytes
                                       : surface.extent[dimension] - 1;
      const std::int64_t given = position[d * lanes];
      const std::int64_t end = d == 0 ? row_bytes - bytes : last;
      place[dimension] = given;
      if (given >= 0 && given <= end)
        continue;
      if (boundary != Boundary::clamp || end < 0)
        return nullptr;
      place[dimension] = std::clamp<std::int64_t>(given, 0, last);
    }
    const std::int64_t row = place[2] * surface.extent[1] + place[1];
    return surface.memory + static_cast<std::size_t>(row) * surface.pitch + place[0];
  }
};

template <typename T, bool is_store>
std::int64_t access(
    std::conditional_t<is_store, const T, T>* memory,
    const std::int32_t* position,
    const std::uint64_t* objects,
    std::int64_t shape,
    std::int64_t lanes,
    std::int64_t running) {
  const Access access(shape, sizeof(T));
  Descriptions descriptions(objects);
  return for_each_lane(running, [&](std::int64_t lane) {
    const TextureDescription* surface = descriptions.of(lane);
    std::byte* const place =
        surface == nullptr ? nullptr : access.address(*surface, position + lane, lanes);
    for (std::int64_t i = 0; i < access.channels; ++i) {
      const auto offset = static_cast<std::size_t>(i) * sizeof(T);
      if constexpr (is_store) {
        if (place != nullptr)
          std::memcpy(place + offset, &memory[i * lanes + lane], sizeof(T));
      } else {
        T value = 0;
        if (place != nullptr)
          std::memcpy(&value, place + offset, sizeof(T));
        memory[i * lanes + lane] = value;
      }
    }
    return place != nullptr || (surface != nullptr && access.boundary != Boundary::trap);
  });
}

template <typename T>
std::array<Routine, 2> of_channels(std::string_view dtype) {
  return {
      Routine{"surface_load", dtype, address_of_routine(access<T, false>)},
      Routine{"surface_store", dtype, address_of_routine(access<T, true>)}};
}

}  // namespace

std::span<const Routine> texture_routines() {
  static const auto bytes = of_channels<std::uint8_t>("uint8");
  static const auto shorts = of_channels<std::uint16_t>("uint16");
  static const auto words = of_channels<std::uint32_t>("uint32");
  static const auto doubles = of_channels<std::uint64_t>("uint64");
  static const std::array rows = {
      Routine{"texture_fetch", "float32", address_of_routine(fetch<float>)},
      Routine{"texture_fetch", "int32", address_of_routine(fetch<std::int32_t>)},
      bytes[0],
      bytes[1],
      shorts[0],
      shorts[1],
      words[0],
      words[1],
      doubles[0],
      doubles[1]};
  return rows;
}

}  // namespace phalanx::runtime::cpu
