#include "phalanx/frames/csv/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace phalanx::frames::csv {
namespace {

// From here on memory is mapped: it can be grown without a copy, and is zero as it comes.
constexpr std::size_t least_mapped = std::size_t{1} << 20;
constexpr std::size_t page = 4096;

std::size_t whole_pages(std::size_t size) { return (size + page - 1) / page * page; }

void free_memory(void* data, std::size_t size) {
  if (size >= least_mapped)
    munmap(data, whole_pages(size));
  else
    std::free(data);
}

void* map_memory(std::size_t size) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const made = mmap(nullptr, whole_pages(size), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (made == MAP_FAILED)
    throw std::bad_alloc();
  return made;
}

}  // namespace

Memory::Memory(std::size_t size, bool huge) : size_(std::max<std::size_t>(size, 1)), huge_(huge) {
  if (size_ < least_mapped) {
    data_ = std::calloc(size_, 1);
    if (data_ == nullptr)
      throw std::bad_alloc();
    return;
  }
  data_ = map_memory(size_);
  if (huge_)
    madvise(data_, whole_pages(size_), MADV_HUGEPAGE);
}

Memory::~Memory() {
  if (data_ != nullptr)
    free_memory(data_, size_);
}

void Memory::grow(std::size_t size) {
  if (size <= size_)
    return;
  if (size_ >= least_mapped) {
    void* const made = mremap(data_, whole_pages(size_), whole_pages(size), MREMAP_MAYMOVE);
    if (made == MAP_FAILED)
      throw std::bad_alloc();
    data_ = made;
    size_ = size;
    return;
  }
  Memory larger(size, huge_);
  if (data_ != nullptr)
    std::memcpy(larger.data_, data_, size_);
  swap(larger);
}

Block Memory::release(std::size_t size) {
  if (data_ == nullptr)
    return {};
  std::size_t kept = size_;
  if (size_ >= least_mapped && size >= least_mapped && whole_pages(size) < whole_pages(size_)) {
    munmap(as<char>() + whole_pages(size), whole_pages(size_) - whole_pages(size));
    kept = size;
  }
  void* const data = std::exchange(data_, nullptr);
  size_ = 0;
  return {std::shared_ptr<void>(data, [kept](void* memory) { free_memory(memory, kept); }), size};
}

}  // namespace phalanx::frames::csv
