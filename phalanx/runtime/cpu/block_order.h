// The order in which the CPU runs the blocks of a grid.
#pragma once

#include <algorithm>
#include <cstdint>

namespace phalanx::runtime::cpu {

// As numbered, x fastest, or in bands of rows: down a column of a few blocks, then the next column.
// Blocks that read tile after tile of two inputs (a product) share one input along x, the other
// along y. Row by row, all of the second input passes through the cache for each row of blocks; in
// bands, once for 8 rows. Other kernels want the order of memory: a band reads 128 rows at a time.
class BlockOrder {
 public:
  BlockOrder() = default;

  static BlockOrder in_bands(const std::uint32_t (&grid)[3]) {
    BlockOrder order;
    order.columns_ = grid[0];
    order.rows_ = grid[1];
    order.band_rows_ = 8;
    return order;
  }

  bool is_as_numbered() const { return band_rows_ == 0; }

  // The number of the block that runs at a position.
  std::uint64_t block_at(std::uint64_t position) const {
    const std::uint64_t plane = position / (columns_ * rows_);
    const std::uint64_t in_plane = position % (columns_ * rows_);
    const std::uint64_t first_row = in_plane / (columns_ * band_rows_) * band_rows_;
    const std::uint64_t height = std::min(band_rows_, rows_ - first_row);
    const std::uint64_t in_band = in_plane - first_row * columns_;
    const std::uint64_t row = first_row + in_band % height;
    return (plane * rows_ + row) * columns_ + in_band / height;
  }

 private:
  std::uint64_t columns_ = 1;
  std::uint64_t rows_ = 1;
  std::uint64_t band_rows_ = 0;  // 0: as numbered
};

}  // namespace phalanx::runtime::cpu
