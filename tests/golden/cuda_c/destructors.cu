// Destructors that would do something are refused, wherever the value is; empty ones make no difference.
struct Guard { int* n; __device__ ~Guard() { *n += 1; } };
struct Holder { int a; Guard guard[2]; };
struct Heir : Guard { int b; };
struct Quiet { int c; __device__ ~Quiet() {} };
extern "C" __global__ void variable(int* x) { Guard g{x}; x[1] = 2; }
extern "C" __global__ void temporary(int* x) { x[1] = *Guard{x}.n; }
extern "C" __global__ void member(int* x) { Holder h{1, {{x}, {x}}}; x[1] = h.a; }
extern "C" __global__ void base(int* x) { Heir h{{x}, 3}; x[1] = h.b; }
extern "C" __global__ void array(int* x) { Guard g[2] = {{x}, {x}}; x[1] = 2; }
extern "C" __global__ void quiet(int* x) { Quiet q{3}; x[1] = q.c; }
