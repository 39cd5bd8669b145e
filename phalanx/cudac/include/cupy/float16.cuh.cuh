// What CuPy has of halves: those of CUDA.
#pragma once
#include <cuda_fp16.h>
