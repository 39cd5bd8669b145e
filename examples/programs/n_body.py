"""Bodies that attract each other: a galaxy of them, each met by all others, tile by tile.

A script for PyCUDA with the kernel that every course on CUDA has; run it with
`python -m phalanx run`. Method: L. Nyland, M. Harris and J. Prins, "Fast N-Body Simulation with
CUDA", GPU Gems 3, 2007; steps by leapfrog.
"""

import numpy as np
import pycuda.autoinit  # noqa: F401
from _program import Run, check, start
from pycuda import gpuarray
from pycuda.compiler import SourceModule

FIELD, USES = "physics", "PyCUDA, CUDA C"
TILE, SOFT, STEP = 128, 0.05, 0.002
SOURCE = r"""
#define TILE 128
__global__ void pull(const float4 *place, float4 *speed, int count, float soft, float step) {
  __shared__ float4 tile[TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  float4 here = place[i];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < count; start += TILE) {
    tile[threadIdx.x] = place[start + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
      float x = tile[k].x - here.x, y = tile[k].y - here.y, z = tile[k].z - here.z;
      float inverse = rsqrtf(x * x + y * y + z * z + soft * soft);
      float by = tile[k].w * inverse * inverse * inverse;
      ax += by * x; ay += by * y; az += by * z;
    }
    __syncthreads();
  }
  speed[i].x += step * ax; speed[i].y += step * ay; speed[i].z += step * az;
}

__global__ void move(float4 *place, const float4 *speed, float step) {
  int i = blockIdx.x * TILE + threadIdx.x;
  place[i].x += step * speed[i].x; place[i].y += step * speed[i].y; place[i].z += step * speed[i].z;
}"""


def galaxy(count):
    """A disk that turns around a heavy middle: places with masses, and speeds."""
    rng = np.random.default_rng(8)
    radius, angle = np.sqrt(rng.uniform(0.04, 1, count)), rng.uniform(0, 2 * np.pi, count)
    place, speed = np.zeros((2, count, 4), np.float32)
    place[:, 0], place[:, 1] = radius * np.cos(angle), radius * np.sin(angle)
    place[:, 2], place[:, 3] = rng.normal(0, 0.03, count), 0.5 / count
    turn = np.sqrt((1 + 0.5 * radius**2) / radius)
    speed[:, 0], speed[:, 1] = -turn * np.sin(angle), turn * np.cos(angle)
    place[0], speed[0] = (0, 0, 0, 1), 0
    return place, speed


def simulate(place, speed, steps):
    module = SourceModule(SOURCE)
    pull, move = module.get_function("pull"), module.get_function("move")
    there, its_speed = gpuarray.to_gpu(place), gpuarray.to_gpu(speed)
    count, soft, step = np.int32(len(place)), np.float32(SOFT), np.float32(STEP)
    launch = {"block": (TILE, 1, 1), "grid": (len(place) // TILE, 1)}
    for _ in range(steps):
        pull(there, its_speed, count, soft, step, **launch)
        move(there, its_speed, step, **launch)
    return there.get(), its_speed.get()


def simulate_in_numpy(place, speed, steps):
    place, speed = place.copy(), speed.copy()
    for _ in range(steps):
        apart = place[None, :, :3] - place[:, None, :3]
        by = place[:, 3] * ((apart**2).sum(axis=2) + np.float32(SOFT**2)) ** np.float32(-1.5)
        speed[:, :3] += np.float32(STEP) * (by[..., None] * apart).sum(axis=1)
        place[:, :3] += np.float32(STEP) * speed[:, :3]
    return place, speed


def main(run: Run) -> None:
    count, steps = run.size((2048, 100), (256, 3))
    place, speed = galaxy(count)
    end, end_speed = run.measure(lambda: simulate(place, speed, steps))
    plain = run.peer("NumPy", lambda: simulate_in_numpy(place, speed, 2), share=2 / steps)
    run.agree(simulate(place, speed, 2)[0], plain[0], atol=1e-5)
    # What pulls is pulled: the momentum of all bodies stays.
    mass = place[:, 3:]
    check((mass * end_speed).sum(axis=0), (mass * speed).sum(axis=0), atol=1e-3)

    def draw(axes):
        colour = np.hypot(*end_speed[:, :2].T)
        axes.scatter(*end[:, :2].T, s=1, c=colour, cmap="plasma", vmax=3)
        axes.set(aspect="equal", facecolor="black", xlim=(-1.3, 1.3), ylim=(-1.3, 1.3))

    run.picture(draw, (5.5, 5.5))


if __name__ == "__main__":
    start(main)
