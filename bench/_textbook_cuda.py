"""The textbook kernels in CUDA C: the same steps, with the `int` indices that C has."""

SOURCE = r"""
#define BLOCK 256
#define BINS 256
#define TILE 32
#define ROWS 8
#define PRODUCT 64
#define DEPTH 16
#define EACH 4
#define SORTED 1024

extern "C" __global__ void nbody(
    const float* x, const float* y, const float* z, const float* m, float* ax, float* ay,
    float* az, float softening, int n) {
  __shared__ float tile_x[BLOCK], tile_y[BLOCK], tile_z[BLOCK], tile_m[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  float my_x = x[i], my_y = y[i], my_z = z[i], sum_x = 0, sum_y = 0, sum_z = 0;
  for (int tile = 0; tile < n / BLOCK; tile++) {
    int j = tile * BLOCK + t;
    tile_x[t] = x[j];
    tile_y[t] = y[j];
    tile_z[t] = z[j];
    tile_m[t] = m[j];
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) {
      float dx = tile_x[k] - my_x, dy = tile_y[k] - my_y, dz = tile_z[k] - my_z;
      float r2 = dx * dx + dy * dy + dz * dz + softening;
      float r = 1.0f / sqrtf(r2);
      float pull = tile_m[k] * r * r * r;
      sum_x += dx * pull;
      sum_y += dy * pull;
      sum_z += dz * pull;
    }
    __syncthreads();
  }
  ax[i] = sum_x;
  ay[i] = sum_y;
  az[i] = sum_z;
}

extern "C" __global__ void stencil(const float* a, float* out, int rows, int columns) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (0 < i && i < rows - 1 && 0 < j && j < columns - 1)
    out[i * columns + j] = 0.25f * (a[(i - 1) * columns + j] + a[(i + 1) * columns + j] +
                                    a[i * columns + j - 1] + a[i * columns + j + 1]);
}

extern "C" __global__ void total(const float* a, float* out, int n) {
  __shared__ float partial[32];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i];
  for (int offset = 16; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffff, s, offset);
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) partial[warp] = s;
  __syncthreads();
  if (warp == 0) {
    s = lane < blockDim.x / 32 ? partial[lane] : 0;
    for (int offset = 16; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffff, s, offset);
    if (lane == 0) atomicAdd(out, s);
  }
}

extern "C" __global__ void histogram(const unsigned char* a, int* counts, int n) {
  __shared__ int here[BINS];
  int t = threadIdx.x;
  here[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&here[a[i]], 1);
  __syncthreads();
  atomicAdd(&counts[t], here[t]);
}

__device__ float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float series = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
                 k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228040f * expf(-0.5f * d * d) * series;
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(
    const float* price, const float* strike, const float* years, float* call, float* put,
    float rate, float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float root = sqrtf(years[i]);
    float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
               (volatility * root);
    float n1 = normal(d1), n2 = normal(d1 - volatility * root);
    float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = price[i] * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - price[i] * (1.0f - n1);
  }
}

extern "C" __global__ void transpose(const float* a, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int column = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
  for (int k = 0; k < TILE; k += ROWS) tile[ty + k][tx] = a[(row + k) * columns + column];
  __syncthreads();
  column = blockIdx.y * TILE + tx;
  row = blockIdx.x * TILE + ty;
  for (int k = 0; k < TILE; k += ROWS) out[(row + k) * rows + column] = tile[tx][ty + k];
}

extern "C" __global__ void csr_product(
    const int* starts, const int* columns, const float* values, const float* x, float* y,
    int rows) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
  if (row < rows) {
    float s = 0;
    for (int j = starts[row] + lane; j < starts[row + 1]; j += 32) s += values[j] * x[columns[j]];
    for (int offset = 16; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffff, s, offset);
    if (lane == 0) y[row] = s;
  }
}

extern "C" __global__ void fractal(
    int* image, float left, float top, float step, int limit, int rows, int columns) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < columns) {
    float cx = left + j * step, cy = top + i * step, x = 0, y = 0;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4.0f) {
      float t = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = t;
      steps++;
    }
    image[i * columns + j] = steps;
  }
}

extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[DEPTH][PRODUCT], tile_b[DEPTH][PRODUCT];
  float sums[EACH][EACH], left[EACH], above[EACH];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * (PRODUCT / EACH) + tx;
  int row = blockIdx.y * PRODUCT, column = blockIdx.x * PRODUCT;
  for (int i = 0; i < EACH; i++)
    for (int j = 0; j < EACH; j++) sums[i][j] = 0;
  for (int start = 0; start < n; start += DEPTH) {
    for (int e = t; e < PRODUCT * DEPTH; e += BLOCK) {
      tile_a[e % DEPTH][e / DEPTH] = a[(row + e / DEPTH) * n + start + e % DEPTH];
      tile_b[e / PRODUCT][e % PRODUCT] = b[(start + e / PRODUCT) * n + column + e % PRODUCT];
    }
    __syncthreads();
    for (int k = 0; k < DEPTH; k++) {
      for (int i = 0; i < EACH; i++) {
        left[i] = tile_a[k][ty * EACH + i];
        above[i] = tile_b[k][tx * EACH + i];
      }
      for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) sums[i][j] += left[i] * above[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < EACH; i++)
    for (int j = 0; j < EACH; j++)
      c[(row + ty * EACH + i) * n + column + tx * EACH + j] = sums[i][j];
}

extern "C" __global__ void bitonic_sort(float* a, int n) {
  __shared__ float keys[SORTED];
  int t = threadIdx.x, first = blockIdx.x * SORTED;
  keys[t] = a[first + t];
  keys[t + SORTED / 2] = a[first + t + SORTED / 2];
  for (int length = 2; length <= SORTED; length *= 2)
    for (int distance = length / 2; distance > 0; distance /= 2) {
      __syncthreads();
      int low = 2 * t - (t & (distance - 1)), high = low + distance;
      bool is_up = (low & length) == 0;
      if ((keys[low] > keys[high]) == is_up) {
        float k = keys[low];
        keys[low] = keys[high];
        keys[high] = k;
      }
    }
  __syncthreads();
  a[first + t] = keys[t];
  a[first + t + SORTED / 2] = keys[t + SORTED / 2];
}
"""
