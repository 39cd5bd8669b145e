// Where destructors are called: at the ends of scopes, and on the ways out of them.
struct Guard {
  int* x;
  __device__ Guard(int* x) : x(x) { x[0] += 1; }
  __device__ ~Guard() { x[0] -= 1; }
};
extern "C" __global__ void scopes(int* x, int n) {
  Guard whole(x);
  for (int i = 0; i < n; ++i) {
    Guard each(x + i);
    if (x[i] == 3)
      continue;
    if (x[i] == 4)
      return;
  }
  asm volatile("membar.gl;" ::: "memory");
}
