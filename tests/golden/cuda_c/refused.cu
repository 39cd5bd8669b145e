// What C++ allows and device code cannot do.
__device__ int missing(int);
struct Bits { int b : 3; };
extern "C" __global__ void jumps(int* x) { again: x[0] += 1; goto again; }
extern "C" __global__ void calls(int* x) { x[0] = missing(1); }
extern "C" __global__ void assembly(int* x) { asm("nop;"); }
extern "C" __global__ void bits(Bits b, int* x) { x[0] = b.b; }
extern "C" __global__ void indirect(int* x) { int (*f)(int) = nullptr; x[0] = f(1); }
