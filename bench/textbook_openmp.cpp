// The problems of the textbook kernels in C++ with OpenMP: the loops that one writes for a CPU, not
// the kernels' steps. textbook_cpu.py compiles this file and passes the kernels' arguments, then
// the extents.

#include <algorithm>
#include <cmath>
#include <cstdint>

extern "C" {

void nbody(
    const float* __restrict x,
    const float* __restrict y,
    const float* __restrict z,
    const float* __restrict m,
    float* __restrict ax,
    float* __restrict ay,
    float* __restrict az,
    float softening,
    int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    float sum_x = 0, sum_y = 0, sum_z = 0;
    for (int j = 0; j < n; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      float r = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
      float pull = m[j] * r * r * r;
      sum_x += dx * pull;
      sum_y += dy * pull;
      sum_z += dz * pull;
    }
    ax[i] = sum_x;
    ay[i] = sum_y;
    az[i] = sum_z;
  }
}

void stencil(const float* __restrict a, float* __restrict out, int rows, int columns) {
#pragma omp parallel for
  for (int i = 1; i < rows - 1; i++) {
    const float* row = a + static_cast<std::int64_t>(i) * columns;
    float* to = out + static_cast<std::int64_t>(i) * columns;
    for (int j = 1; j < columns - 1; j++)
      to[j] = 0.25F * (row[j - columns] + row[j + columns] + row[j - 1] + row[j + 1]);
  }
}

void total(const float* __restrict a, float* __restrict out, int n) {
  float sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  *out += sum;
}

void histogram(const std::uint8_t* __restrict a, std::int32_t* __restrict counts, int n) {
#pragma omp parallel for reduction(+ : counts[ : 256])
  for (int i = 0; i < n; i++) counts[a[i]]++;
}

static inline float normal(float d) {
  float k = 1 / (1 + 0.2316419F * std::fabs(d));
  float series = -1.821255978F + k * 1.330274429F;
  series = -0.356563782F + k * (1.781477937F + k * series);
  series = k * (0.31938153F + k * series);
  float tail = 0.39894228040F * std::exp(-0.5F * d * d) * series;
  return d > 0 ? 1 - tail : tail;
}

void black_scholes(
    const float* __restrict price,
    const float* __restrict strike,
    const float* __restrict years,
    float* __restrict call,
    float* __restrict put,
    float rate,
    float volatility,
    int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; i++) {
    float root = std::sqrt(years[i]);
    float drift = (rate + 0.5F * volatility * volatility) * years[i];
    float d1 = (std::log(price[i] / strike[i]) + drift) / (volatility * root);
    float n1 = normal(d1), n2 = normal(d1 - volatility * root);
    float discounted = strike[i] * std::exp(-rate * years[i]);
    call[i] = price[i] * n1 - discounted * n2;
    put[i] = discounted * (1 - n2) - price[i] * (1 - n1);
  }
}

void transpose(const float* __restrict a, float* __restrict out, int rows, int columns) {
  constexpr int tile = 32;
#pragma omp parallel for collapse(2)
  for (int row = 0; row < columns; row += tile) {
    for (int column = 0; column < rows; column += tile) {
      for (int i = row; i < std::min(row + tile, columns); i++) {
        for (int j = column; j < std::min(column + tile, rows); j++)
          out[static_cast<std::int64_t>(i) * rows + j] =
              a[static_cast<std::int64_t>(j) * columns + i];
      }
    }
  }
}

void csr_product(
    const std::int32_t* __restrict starts,
    const std::int32_t* __restrict columns,
    const float* __restrict values,
    const float* __restrict x,
    float* __restrict y,
    int rows) {
#pragma omp parallel for schedule(guided)
  for (int row = 0; row < rows; row++) {
    float sum = 0;
    for (int j = starts[row]; j < starts[row + 1]; j++) sum += values[j] * x[columns[j]];
    y[row] = sum;
  }
}

void fractal(
    std::int32_t* __restrict image,
    float left,
    float top,
    float step,
    std::int32_t limit,
    int rows,
    int columns) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      float cx = left + static_cast<float>(j) * step, cy = top + static_cast<float>(i) * step;
      float x = 0, y = 0;
      std::int32_t steps = 0;
      while (steps < limit && x * x + y * y <= 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        steps++;
      }
      image[static_cast<std::int64_t>(i) * columns + j] = steps;
    }
  }
}

// Panels of `b` that stay in the cache, and a tile of sums that stays in registers.
void product(const float* __restrict a, const float* __restrict b, float* __restrict c, int n) {
  constexpr int rows = 8, columns = 32;  // the fastest of eight pairs under GCC 12
#pragma omp parallel for collapse(2)
  for (int column = 0; column < n; column += columns) {
    for (int row = 0; row < n; row += rows) {
      float sums[rows][columns] = {};
      for (int k = 0; k < n; k++) {
        for (int i = 0; i < rows; i++) {
          for (int j = 0; j < columns; j++)
            sums[i][j] += a[(row + i) * n + k] * b[k * n + column + j];
        }
      }
      for (int i = 0; i < rows; i++) std::copy_n(sums[i], columns, c + (row + i) * n + column);
    }
  }
}

void bitonic_sort(float* a, int n) {
  constexpr int sorted = 1024;
#pragma omp parallel for
  for (int first = 0; first < n; first += sorted) {
    float* __restrict keys = a + first;
    for (int length = 2; length <= sorted; length *= 2) {
      for (int distance = length / 2; distance > 0; distance /= 2) {
        for (int start = 0; start < sorted; start += 2 * distance) {
          bool is_up = (start & length) == 0;
          for (int low = start; low < start + distance; low++) {
            float lesser = std::min(keys[low], keys[low + distance]);
            float greater = std::max(keys[low], keys[low + distance]);
            keys[low] = is_up ? lesser : greater;
            keys[low + distance] = is_up ? greater : lesser;
          }
        }
      }
    }
  }
}

// The same problem by the standard library.
void standard_sort(float* a, int n) {
  constexpr int sorted = 1024;
#pragma omp parallel for
  for (int first = 0; first < n; first += sorted) std::sort(a + first, a + first + sorted);
}

}  // extern "C"
