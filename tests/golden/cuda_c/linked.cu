// linked
// What other modules see: functions that are neither static nor inline, with structs as tuples of
// their members; and what is left to them, functions without a body.
struct Body {
  float mass;
  float at[2];
};

extern "C" __device__ float outside(Body body, const Body* others, int n);

static __device__ float own(float x) { return 2 * x; }

extern "C" __device__ Body heavier(Body body, float by) {
  body.mass = own(body.mass) + by + outside(body, &body, 1);
  return body;
}

__device__ int mangled(unsigned* x) { return *x; }

extern "C" __global__ void weigh(const Body* bodies, float* sum) {
  sum[0] = heavier(bodies[0], 1).mass;
}
