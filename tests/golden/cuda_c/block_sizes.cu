// A constant in place of blockDim.x, of at most 1024: positions do not wrap. By 4096 they might.
extern "C" __global__ void origins(float* x, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int j = threadIdx.x + 1024 * blockIdx.x;
  int k = blockIdx.x * 4096 + threadIdx.x;
  if (i < n && j < n && k < n)
    x[i] = x[j] + x[k];
}
