// Code for GPUs by other compilers, of kernels whose IR tells how they are launched: by NVIDIA's
// NVRTC, and files of PTX and cubins.
#pragma once

#include <nanobind/nanobind.h>

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

// What KernelModule takes: "ptx" or "cubin", the code, and why devices but GPUs have none.
using MachineCode = std::tuple<std::string, nanobind::bytes, std::string>;

// The code with the kernels that `declared` says that it has.
Binary code_of_machine_code(const MachineCode& code, const ir::Module& declared);

}  // namespace phalanx::bindings
