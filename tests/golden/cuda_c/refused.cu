// What C++ allows and device code cannot do.
__device__ int missing(int);
struct Bits { int b : 3; };
struct Top { __device__ virtual int f() { return 1; } };
struct Lower : virtual Top {};
extern "C" __global__ void jumps(int* x) { goto inside; while (x[0]) { inside: x[0] -= 1; } }
extern "C" __global__ void calls(int* x) { x[0] = missing(1); }
extern "C" __global__ void assembly(int* x) { asm("mov.u32 %0, 1;" : "=m"(x[0])); }
extern "C" __global__ void bits(Bits b, int* x) { x[0] = b.b; }
extern "C" __global__ void address(int* x) { int (*f)(int) = missing; x[0] = f(1); }
extern "C" __global__ void heap(int* x) { int* y = new int[4]; x[0] = y[0]; delete[] y; }
extern "C" __global__ void diamond(int* x) { Lower l; x[0] = l.f(); }
extern "C" __global__ void two_bits(Bits* b) { (b->b ? b->b : b[1].b) = 1; }
