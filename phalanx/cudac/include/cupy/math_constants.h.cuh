// Constants of CUDA's mathematics.
#pragma once
#include <math_constants.h>
