// What the kernels of a module share: its globals, and on a GPU the code, which is one image. A
// kernel that is alone has one too, where it is linked with code that may have globals.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"
#include "phalanx/jit/kernel.h"
#include "phalanx/runtime/module.h"

namespace phalanx::jit {

class PHX_API ModuleImage {
 public:
  // `whole` compiles the module as it is, which `source` is too.
  ModuleImage(std::shared_ptr<const ir::Module> source, std::shared_ptr<Kernel> whole);
  // Of a kernel that is alone, whose module may come later.
  ModuleImage() = default;
  ModuleImage(const ModuleImage&) = delete;
  ModuleImage& operator=(const ModuleImage&) = delete;

  bool is_shared() const { return whole_ != nullptr; }
  const ir::Module& source() const { return *source_; }
  bool has_source() const;
  void set_source(std::shared_ptr<const ir::Module> source);  // the first stays

  // A kernel in the image that is loaded on a GPU: compiled at the first call. `name`: in the IR.
  std::shared_ptr<runtime::Executable> kernel(runtime::Device& gpu, const std::string& name);

  // Where a global is: on the CPU device in memory that is made, with its first content, when the
  // first is asked for; on a GPU in the image. Throws ValueError where there is none of that name.
  runtime::GlobalMemory global(runtime::Device& device, const std::string& name);

 private:
  runtime::GlobalMemory on_host(runtime::Device& cpu, const std::string& name);

  std::shared_ptr<const ir::Module> source_;
  std::shared_ptr<Kernel> whole_;
  mutable std::mutex mutex_;  // guards what follows, and source_ where it comes later
  std::map<std::string, runtime::Buffer> on_host_;  // by name
};

}  // namespace phalanx::jit
