// Several kernels that share globals, as CUDA C source has them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/jit/kernel.h"
#include "phalanx/jit/module_image.h"

namespace phalanx::jit {

struct ModuleDescription {
  std::vector<std::byte> key;  // everything that decides the IR
  codegen::Options options;    // of all its kernels
  bool use_cache = true;
  // Makes the image for GPUs in the place of the engine's compiler. `key` tells what it makes.
  std::function<Binary(const ir::Module& module, const Target& target)> gpu_code = nullptr;
  // Where gpu_code makes all code that there is: why other devices have none. Else empty.
  std::string refusal = {};
};

// On a GPU all kernels are one image, compiled when the first of them is launched. On the CPU
// device each is compiled by itself, for the blocks of its launches.
class PHX_API Module {
 public:
  // The IR is as the front end made it. Throws ir::VerifyError for IR that breaks the rules.
  Module(
      Engine& engine,
      const ModuleDescription& description,
      const std::shared_ptr<const ir::Module>& given,
      const Linker& linker = {});

  std::vector<std::string> kernel_names() const;  // in the module's order
  // Throws ValueError that names the kernels where none is called so.
  const std::shared_ptr<Kernel>& kernel(const std::string& name) const;

  // A global's memory on a device, where all kernels of the module find it, and which lives as long
  // as the module, its kernels and their code do. On a GPU its kernels are compiled for that.
  // Throws ValueError that names the globals where none is called so.
  runtime::GlobalMemory global(runtime::Device& device, const std::string& name);

 private:
  std::shared_ptr<ModuleImage> image_;
  std::map<std::string, std::shared_ptr<Kernel>> kernels_;
};

}  // namespace phalanx::jit
