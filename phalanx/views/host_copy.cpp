#include "phalanx/views/host_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <ranges>
#include <type_traits>
#include <vector>

#include "phalanx/runtime/parallel.h"
#include "phalanx/views/transpose_block.h"

namespace phalanx::views {

namespace {

constexpr std::int64_t tile_bytes = 16 << 10;  // half of a small first-level cache
// What is worth handing to another thread, some microseconds of work.
constexpr std::int64_t grain_bytes = 128 << 10;

constexpr std::int64_t few_iterations = 8;
constexpr std::int64_t cache_line = 64;
constexpr std::int64_t conflicting_stride = 1024;

std::int64_t tiles_of(std::int64_t extent, std::int64_t side) { return (extent + side - 1) / side; }

// A plan as tiles of two loops: the target's innermost, and as rows the one that goes through the
// source in the shortest steps, so that a transposing copy uses whole cache lines of both sides.
struct Tiling {
  std::byte* to;
  const std::byte* from;
  std::int64_t run;
  CopyLoop column;
  CopyLoop row;
  std::vector<CopyLoop> outer;
  std::int64_t columns = 1;  // of a tile
  std::int64_t rows = 1;
  bool transposes = false;  // whole lines of rows lie together in the source, and columns do not

  explicit Tiling(const CopyPlan& plan)
      : to(reinterpret_cast<std::byte*>(plan.to)),            // NOLINT(performance-no-int-to-ptr)
        from(reinterpret_cast<const std::byte*>(plan.from)),  // NOLINT(performance-no-int-to-ptr)
        run(static_cast<std::int64_t>(plan.run)),
        column(plan.loops.back()),
        outer(plan.loops.begin(), plan.loops.end() - 1) {
    if (!outer.empty())
      take_row();
    const std::int64_t items = std::max<std::int64_t>(tile_bytes / run, 1);
    if (transposes) {
      const auto bits = std::bit_width(static_cast<std::uint64_t>(items)) - 1;
      rows = std::min(row.extent, std::int64_t{1} << bits / 2);
      columns = std::min(column.extent, items / rows);
    } else {
      columns = std::min(column.extent, items);
      rows = std::min(row.extent, std::max<std::int64_t>(items / columns, 1));
    }
  }

  void take_row() {
    auto chosen = std::ranges::min_element(
        outer, {}, [](const CopyLoop& loop) { return std::abs(loop.from); });
    if (std::abs(chosen->from) >= std::abs(column.from))
      chosen = outer.end() - 1;
    row = *chosen;
    outer.erase(chosen);
    transposes = row.from == run && column.from != run && run <= cache_line &&
                 row.extent * run >= cache_line;
  }

  std::int64_t count() const {
    std::int64_t tiles = tiles_of(row.extent, rows) * tiles_of(column.extent, columns);
    for (const CopyLoop& loop : outer) tiles *= loop.extent;
    return tiles;
  }
};

struct Tile {
  std::byte* to;
  const std::byte* from;
  CopyLoop row;  // extents are the tile's
  CopyLoop column;
};

Tile tile_at(const Tiling& tiling, std::int64_t index) {
  Tile tile{tiling.to, tiling.from, tiling.row, tiling.column};
  const auto move = [&](const CopyLoop& loop, std::int64_t steps) {
    tile.to += steps * loop.to;
    tile.from += steps * loop.from;
  };
  const auto cut = [&](CopyLoop& loop, std::int64_t side) {
    const std::int64_t tiles = tiles_of(loop.extent, side);
    const std::int64_t first = index % tiles * side;
    index /= tiles;
    move(loop, first);
    loop.extent = std::min(side, loop.extent - first);
  };
  cut(tile.column, tiling.columns);
  cut(tile.row, tiling.rows);
  for (const CopyLoop& loop : std::views::reverse(tiling.outer)) {
    move(loop, index % loop.extent);
    index /= loop.extent;
  }
  return tile;
}

// Run: a number that the compiler knows, or any.
template <typename Run>
void copy_tile(const Tile& tile, Run run) {
  // A loop of few iterations is not worth being the inner one, though it writes in order.
  const bool swaps = tile.column.extent < few_iterations && tile.column.extent < tile.row.extent;
  const CopyLoop outer = swaps ? tile.column : tile.row;
  const CopyLoop inner = swaps ? tile.row : tile.column;
  for (std::int64_t i = 0; i < outer.extent; ++i) {
    std::byte* to = tile.to + i * outer.to;
    const std::byte* from = tile.from + i * outer.from;
    for (std::int64_t j = 0; j < inner.extent; ++j) {
      std::memcpy(to, from, run);
      to += inner.to;
      from += inner.from;
    }
  }
}

template <std::size_t Bytes>
using Known = std::integral_constant<std::size_t, Bytes>;

// Those of the tile from that row and column on.
Tile part_of(const Tile& tile, std::int64_t row, std::int64_t column) {
  Tile part = tile;
  part.to += row * tile.row.to + column * tile.column.to;
  part.from += row * tile.row.from + column * tile.column.from;
  part.row.extent -= row;
  part.column.extent -= column;
  return part;
}

// A tile whose rows lie together in the source, and whose columns in the target: whole blocks in
// registers, then what remains at the right and below.
template <typename Item>
void transpose_in_blocks(const Tile& tile) {
  constexpr std::int64_t side = block_side<Item>;
  const std::int64_t rows = tile.row.extent / side * side;
  const std::int64_t columns = tile.column.extent / side * side;
  for (std::int64_t row = 0; row < rows; row += side) {
    for (std::int64_t column = 0; column < columns; column += side) {
      const Tile block = part_of(tile, row, column);
      transpose_block<Item>(block.to, tile.row.to, block.from, tile.column.from);
    }
  }
  Tile right = part_of(tile, 0, columns);
  right.row.extent = rows;
  copy_tile(right, Known<sizeof(Item)>());
  copy_tile(part_of(tile, rows, 0), Known<sizeof(Item)>());
}

void transpose_lines(const Tile& tile, std::size_t run) { copy_tile(tile, run); }
void transpose_lines(const Tile& tile, Known<16> run) { copy_tile(tile, run); }
void transpose_lines(const Tile& tile, Known<8>) { transpose_in_blocks<std::uint64_t>(tile); }
void transpose_lines(const Tile& tile, Known<4>) { transpose_in_blocks<std::uint32_t>(tile); }
void transpose_lines(const Tile& tile, Known<2>) { transpose_in_blocks<std::uint16_t>(tile); }
void transpose_lines(const Tile& tile, Known<1>) { transpose_in_blocks<std::uint8_t>(tile); }

// The columns lie together in the target, or anywhere.
template <typename Run>
void transpose(const Tile& tile, Run run) {
  if (tile.column.to == static_cast<std::int64_t>(std::size_t{run}))
    transpose_lines(tile, run);
  else
    copy_tile(tile, run);
}

// Source rows that are a large power of two apart share few cache sets, and each of their lines
// would be read once an element: such a tile goes through a copy of it. So does one of items of odd
// sizes, which are slow to copy one by one from far memory.
template <typename Run>
void transpose_tile(const Tile& tile, Run run) {
  constexpr bool is_odd = std::is_same_v<Run, std::size_t>;
  if (!is_odd && tile.column.from % conflicting_stride != 0)
    return transpose(tile, run);
  alignas(cache_line) std::array<std::byte, tile_bytes> packed;
  const auto item = static_cast<std::int64_t>(std::size_t{run});
  const std::int64_t pitch = tile.row.extent * item;
  for (std::int64_t j = 0; j < tile.column.extent; ++j)
    std::memcpy(
        packed.data() + j * pitch,
        tile.from + j * tile.column.from,
        static_cast<std::size_t>(pitch));
  const CopyLoop row{tile.row.extent, tile.row.to, item};
  const CopyLoop column{tile.column.extent, tile.column.to, pitch};
  transpose(Tile{tile.to, packed.data(), row, column}, run);
}

template <typename Run>
void copy_tiles(runtime::Runtime& runtime, const Tiling& tiling, Run run) {
  const std::int64_t bytes = tiling.rows * tiling.columns * tiling.run;
  const std::int64_t grain = std::max<std::int64_t>(grain_bytes / bytes, 1);
  const auto copy = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t index = first; index < last; ++index) {
      const Tile tile = tile_at(tiling, static_cast<std::int64_t>(index));
      if (tiling.transposes)
        transpose_tile(tile, run);
      else
        copy_tile(tile, run);
    }
  };
  const auto count = static_cast<std::uint64_t>(tiling.count());
  if (count <= static_cast<std::uint64_t>(grain))
    return copy(0, count);  // most copies are small
  parallel_for(runtime, count, static_cast<std::uint64_t>(grain), copy);
}

}  // namespace

void copy_on_host(runtime::Runtime& runtime, const CopyPlan& plan) {
  if (plan.is_one_run()) {
    std::memmove(
        reinterpret_cast<void*>(plan.to),          // NOLINT(performance-no-int-to-ptr)
        reinterpret_cast<const void*>(plan.from),  // NOLINT(performance-no-int-to-ptr)
        plan.run);
    return;
  }
  const Tiling tiling(plan);
  switch (plan.run) {
    case 1:
      return copy_tiles(runtime, tiling, Known<1>());
    case 2:
      return copy_tiles(runtime, tiling, Known<2>());
    case 4:
      return copy_tiles(runtime, tiling, Known<4>());
    case 8:
      return copy_tiles(runtime, tiling, Known<8>());
    case 16:
      return copy_tiles(runtime, tiling, Known<16>());
    default:
      return copy_tiles(runtime, tiling, plan.run);
  }
}

}  // namespace phalanx::views
