// What the tiled matrix product of numba.cuda's documentation (16 x 16 blocks, tiles in shared
// memory, float32) can reach on one core with AVX-512: the kernel's steps written with intrinsics,
// with ever less of its data movement. docs/decisions/0017 has figures.
//
//     g++ -O3 -march=native bench/tiled_product_limit.cpp -o tiled_product_limit
//     taskset -c 2 ./tiled_product_limit [n]
//
// A block keeps its 16 x 16 sums in 16 registers. Blocks run down bands of 8 rows of blocks, as the
// CPU device runs them. Prints a Markdown table of GFLOP/s: the best and the median of 15 products.
#include <immintrin.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int tile = 16;
constexpr int band = 8;  // rows of blocks
constexpr int rounds = 15;

struct Problem {
  int n = 0;
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

struct Sums {
  __m512 row[tile];
};

alignas(64) float tile_a[tile * tile];
alignas(64) float tile_b[tile * tile];

inline void clear(Sums& sums) {
  for (__m512& row : sums.row) row = _mm512_setzero_ps();
}

inline void store(const Sums& sums, const Problem& p, int y, int x) {
  for (int i = 0; i < tile; i++)
    _mm512_storeu_ps(p.c + static_cast<long>(y + i) * p.n + x, sums.row[i]);
}

// tile[ty, tx] = from[y + ty, x + tx], a row a vector.
inline void fill(float* to, const float* from, int n, int y, int x) {
  for (int i = 0; i < tile; i++)
    _mm512_store_ps(to + tile * i, _mm512_loadu_ps(from + static_cast<long>(y + i) * n + x));
}

// for k: sum[ty, tx] += tile_a[ty, k] * b[k, tx], with rows of b `width` elements apart.
inline void multiply(Sums& sums, const float* b, long width) {
#pragma GCC unroll 1
  for (int k = 0; k < tile; k++) {
    __m512 row = _mm512_loadu_ps(b + k * width);
#pragma GCC unroll 16
    for (int i = 0; i < tile; i++)
      sums.row[i] = _mm512_fmadd_ps(_mm512_set1_ps(tile_a[tile * i + k]), row, sums.row[i]);
  }
}

inline void prefetch(const float* b, int n, int y, int x) {
  if (y >= n)
    return;
  for (int i = 0; i < tile; i++)
    _mm_prefetch(reinterpret_cast<const char*>(b + static_cast<long>(y + i) * n + x), _MM_HINT_T1);
}

// Calls block(y, x) for the first element of each block, in bands.
template <typename Block>
void for_each_block(int n, const Block& block) {
  for (int top = 0; top < n; top += band * tile) {
    for (int x = 0; x < n; x += tile) {
      for (int y = top; y < std::min(top + band * tile, n); y += tile) block(y, x);
    }
  }
}

template <typename Round>
void product(const Problem& p, const Round& round) {
  for_each_block(p.n, [&](int y, int x) {
    Sums sums;
    clear(sums);
    for (int k = 0; k < p.n; k += tile) round(sums, y, x, k);
    store(sums, p, y, x);
  });
}

void nothing_staged(const Problem& p) {
  product(p, [](Sums& sums, int, int, int) { multiply(sums, tile_b, tile); });
}

void both_stored(const Problem& p) {
  const __m512 value = _mm512_set1_ps(0.5F);
  product(p, [&](Sums& sums, int, int, int) {
    for (int i = 0; i < tile; i++) {
      _mm512_store_ps(tile_a + tile * i, value);
      _mm512_store_ps(tile_b + tile * i, value);
    }
    multiply(sums, tile_b, tile);
  });
}

void both_staged(const Problem& p) {
  product(p, [&](Sums& sums, int y, int x, int k) {
    fill(tile_a, p.a, p.n, y, k);
    fill(tile_b, p.b, p.n, k, x);
    multiply(sums, tile_b, tile);
  });
}

void b_in_place(const Problem& p) {
  product(p, [&](Sums& sums, int y, int x, int k) {
    fill(tile_a, p.a, p.n, y, k);
    prefetch(p.b, p.n, k + tile, x);
    multiply(sums, p.b + static_cast<long>(k) * p.n + x, p.n);
  });
}

void a_only(const Problem& p) {
  product(p, [&](Sums& sums, int y, int, int k) {
    fill(tile_a, p.a, p.n, y, k);
    multiply(sums, tile_b, tile);
  });
}

void b_only(const Problem& p) {
  product(p, [&](Sums& sums, int, int x, int k) {
    prefetch(p.b, p.n, k + tile, x);
    multiply(sums, p.b + static_cast<long>(k) * p.n + x, p.n);
  });
}

// The blocks of a band in step: the tile of B that they share is filled once for all of them; what
// each has summed up waits in memory for its next round.
void band_in_step(const Problem& p) {
  static Sums kept[band];
  for (int top = 0; top < p.n; top += band * tile) {
    const int blocks = std::min(band, (p.n - top) / tile);
    for (int x = 0; x < p.n; x += tile) {
      for (Sums& sums : kept) clear(sums);
      for (int k = 0; k < p.n; k += tile) {
        fill(tile_b, p.b, p.n, k, x);
        prefetch(p.b, p.n, k + tile, x);
        for (int block = 0; block < blocks; block++) {
          fill(tile_a, p.a, p.n, top + tile * block, k);
          Sums sums = kept[block];
          multiply(sums, tile_b, tile);
          kept[block] = sums;
        }
      }
      for (int block = 0; block < blocks; block++) store(kept[block], p, top + tile * block, x);
    }
  }
}

// The time of this thread: what others run on the core in between does not count.
double thread_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double gflops(const Problem& p, double seconds) { return 2e-9 * p.n * p.n * p.n / seconds; }

bool is_right(const Problem& p) {
  for (int y = 0; y < p.n; y += p.n / 7) {
    for (int x = 0; x < p.n; x += p.n / 9) {
      double sum = 0;
      for (int k = 0; k < p.n; k++)
        sum += double{p.a[static_cast<long>(y) * p.n + k]} * p.b[static_cast<long>(k) * p.n + x];
      if (std::abs(p.c[static_cast<long>(y) * p.n + x] - sum) > 1e-3 * sum)
        return false;
    }
  }
  return true;
}

struct Variant {
  const char* name;
  void (*run)(const Problem&);
  bool computes;  // the product
};

constexpr Variant variants[] = {
    {"nothing staged: the products alone", nothing_staged, false},
    {"both tiles stored, nothing loaded", both_stored, false},
    {"A loaded and stored, no B", a_only, false},
    {"B read in place, no A", b_only, false},
    {"both tiles loaded and stored, as the kernel says", both_staged, true},
    {"A staged, B read in place, the next tile prefetched (what Phalanx does)", b_in_place, true},
    {"the 8 blocks of a band in step, a tile of B filled once for all", band_in_step, true},
};

void measure(const Variant& variant, const Problem& p) {
  std::vector<double> seconds;
  for (int round = 0; round <= rounds; round++) {
    const double start = thread_seconds();
    variant.run(p);
    const double time = thread_seconds() - start;
    if (round != 0)
      seconds.push_back(time);
  }
  std::sort(seconds.begin(), seconds.end());
  if (variant.computes && !is_right(p)) {
    std::printf("| %s is wrong\n", variant.name);
    std::exit(1);
  }
  std::printf(" %.1f / %.1f |", gflops(p, seconds[0]), gflops(p, seconds[rounds / 2]));
}

}  // namespace

int main(int count, char** words) {
  const int n = count > 1 ? std::atoi(words[1]) : 1024;
  if (n <= 0 || n % tile != 0) {
    std::printf("n must be a multiple of %d\n", tile);
    return 2;
  }
  constexpr std::size_t line = 64;
  const std::size_t bytes = sizeof(float) * n * n + line;
  std::byte* memory[3];
  for (std::byte*& each : memory)
    each = static_cast<std::byte*>(std::aligned_alloc(1 << 21, (bytes + (2 << 20)) >> 21 << 21));
  std::printf("| n = %d, best / median GFLOP/s | aligned | 16 bytes past a line |\n", n);
  std::printf("|---|---:|---:|\n");
  for (const Variant& variant : variants) {
    std::printf("| %s |", variant.name);
    for (const std::size_t offset : {std::size_t{0}, std::size_t{16}}) {
      float* arrays[3];
      for (int i = 0; i < 3; i++) arrays[i] = reinterpret_cast<float*>(memory[i] + offset);
      for (int i = 0; i < n * n; i++) {
        arrays[0][i] = static_cast<float>((i * 7) % 101) / 101;
        arrays[1][i] = static_cast<float>((i * 13) % 103) / 103;
      }
      measure(variant, {.n = n, .a = arrays[0], .b = arrays[1], .c = arrays[2]});
    }
    std::printf("\n");
  }
}
