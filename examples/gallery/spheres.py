"""Mirrors on a chessboard, in CUDA C.

The kernel is CUDA C with a struct and functions of its own, compiled for all cores here and for a
GPU where there is one.
"""

import numpy as np
from _show import image, main
from phalanx.compat.cupy_raw_kernels import RawKernel

import phalanx as px

SOURCE = r"""
struct Ray { float3 from, to; };
__device__ float3 at(Ray r, float t) {
  return make_float3(r.from.x + t * r.to.x, r.from.y + t * r.to.y, r.from.z + t * r.to.z);
}
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float hit(Ray r, float4 s) {
  float3 o = make_float3(r.from.x - s.x, r.from.y - s.y, r.from.z - s.z);
  float b = dot(o, r.to), root = b * b - dot(o, o) + s.w * s.w;
  return root > 0 ? -b - sqrtf(root) : -1.0f;
}
extern "C" __global__ void trace(const float4* spheres, int count, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w) return;
  Ray r = {make_float3(0, 1, -3), make_float3((x - w / 2.0f) / h, (h / 2.2f - y) / h, 1)};
  float weight = rsqrtf(dot(r.to, r.to)), light = 1;
  r.to = make_float3(r.to.x * weight, r.to.y * weight, r.to.z * weight);
  for (int bounce = 0; bounce < 6; ++bounce) {
    int nearest = -1;
    float best = r.to.y < 0 ? -r.from.y / r.to.y : 1e9f;
    for (int i = 0; i < count; ++i) {
      float t = hit(r, spheres[i]);
      if (t > 1e-3f && t < best) { best = t; nearest = i; }
    }
    float3 p = at(r, best);
    if (nearest < 0) {
      bool sky = best > 1e8f;
      bool dark = ((int)floorf(p.x) + (int)floorf(p.z)) & 1;
      light *= sky ? 0.45f + 0.5f * r.to.y : (dark ? 0.1f : 0.9f) * expf(-0.05f * p.z);
      break;
    }
    float4 s = spheres[nearest];
    float3 n = make_float3((p.x - s.x) / s.w, (p.y - s.y) / s.w, (p.z - s.z) / s.w);
    float along = 2 * dot(n, r.to);
    r = {p, make_float3(r.to.x - along * n.x, r.to.y - along * n.y, r.to.z - along * n.z)};
    light *= 0.85f;
  }
  out[y * w + x] = light;
}"""


def draw():
    draws = np.random.default_rng(8)
    radius = draws.uniform(0.25, 0.7, 24)
    across = [draws.uniform(-4, 4, 24), radius, draws.uniform(0, 8, 24), radius]
    spheres = px.asarray(np.stack(across, axis=1).astype(np.float32))
    out = px.zeros((432, 576), dtype="float32")
    RawKernel(SOURCE, "trace")((5, 432), (128,), (spheres, 24, out, 576, 432))
    return image(out.get(), "bone", vmin=0, vmax=1)


if __name__ == "__main__":
    main(draw)
