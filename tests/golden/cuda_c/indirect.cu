// Numbers of functions and of classes, and the functions of the IR that call by them.
typedef int (*Operation)(int);
__device__ int one(int v) { return v + 1; }
__device__ int two(int v) { return v + 2; }
__device__ Operation table[2] = {one, two};
struct Base {
  int n;
  __device__ virtual int get() const { return n; }
};
struct Derived : Base {
  __device__ int get() const override { return 2 * n; }
};
extern "C" __global__ void calls(int* x) {
  Base base;
  Derived derived;
  const Base* each = x[1] ? &base : &derived;
  x[0] = table[threadIdx.x](x[0]) + each->get();
}
