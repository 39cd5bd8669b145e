// What PyCUDA's header of this name has beside textures, which are gone: its complex numbers.
#pragma once
#include <pycuda-complex.hpp>
