// What clang refuses, with its lines.
extern "C" __global__ void wrong(int* x) {
  x[0] = y;
  int* p = 2.5f;
}
__device__ int missing(int);
extern "C" __global__ int result(int* x) { return 1; }
