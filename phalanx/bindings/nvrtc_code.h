// Code for GPUs by NVIDIA's NVRTC, of kernels whose IR tells how they are launched.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/base/target.h"
#include "phalanx/ir/ir.h"

namespace phalanx::bindings {

// What KernelModule takes: path of the library, name and text of the source, options, the kernels
// that are name expressions (others have the names of their symbols), and headers.
using NvrtcSource = std::tuple<
    std::string,
    std::string,
    std::string,
    std::vector<std::string>,
    std::vector<std::string>,
    std::vector<std::pair<std::string, std::string>>>;

// PTX with the kernels of the module. Throws CompileError with NVRTC's messages, and for a kernel
// that takes a struct whose members C places otherwise than a launch does.
Binary code_of_nvrtc(const NvrtcSource& source, const ir::Module& module, const Target& target);

}  // namespace phalanx::bindings
