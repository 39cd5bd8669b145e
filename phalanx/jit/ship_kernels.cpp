#include "phalanx/jit/ship_kernels.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/jit/kernel_archive.h"
#include "phalanx/jit/shipped_kernels.h"

namespace phalanx::jit {
namespace {

std::map<Digest, Binary> compile_all(
    std::span<const std::shared_ptr<Kernel>> kernels, const Target& target) {
  std::map<Digest, Binary> all;
  std::exception_ptr failure;
  std::mutex mutex;  // guards both
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < kernels.size(); i = next++) {
      try {
        std::map<Digest, Binary> made = kernels[i]->code_for(target);
        const std::lock_guard lock(mutex);
        all.merge(made);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads(std::max(1U, std::thread::hardware_concurrency()));
    for (std::jthread& thread : threads) thread = std::jthread(work);
  }
  if (failure)
    std::rethrow_exception(failure);
  return all;
}

void assemble_in_place(std::map<Digest, Binary>& all, const AssembleAll& assemble) {
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const auto& [key, binary] : all)
    texts.emplace_back(reinterpret_cast<const char*>(binary.code.data()));
  std::vector<std::vector<std::byte>> codes = assemble(texts);
  if (codes.size() != all.size())
    throw ValueError(
        std::to_string(all.size()) + " texts of PTX were assembled to " +
        std::to_string(codes.size()) + " codes");
  auto code = codes.begin();
  for (auto& [key, binary] : all) {
    binary.kind = BinaryKind::cubin;
    binary.code = std::move(*code++);
  }
}

}  // namespace

std::size_t ship_kernels(
    std::span<const std::shared_ptr<Kernel>> kernels,
    const Target& target,
    const std::string& folder,
    const AssembleAll& assemble) {
  std::map<Digest, Binary> all = compile_all(kernels, target);
  if (target.compute_capability != 0)
    assemble_in_place(all, assemble);
  KernelArchive::write(archive_path(folder, target), all);
  return all.size();
}

}  // namespace phalanx::jit
