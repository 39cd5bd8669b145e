// Memory from the allocators of other libraries.
#include "phalanx/runtime/memory_resource.h"

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::runtime {
namespace {

// The functions of an allocator carry no object.
struct Calls {
  int allocated = 0;
  int freed = 0;
  std::ptrdiff_t bytes = 0;
  int device = -1;
  void* stream = nullptr;
  bool is_empty = false;
};
Calls& calls() {
  static Calls made;
  return made;
}

void* allocate(std::ptrdiff_t bytes, int device, void* stream) {
  if (calls().is_empty)
    return nullptr;
  ++calls().allocated;
  calls().bytes = bytes;
  calls().device = device;
  calls().stream = stream;
  return std::aligned_alloc(256, static_cast<std::size_t>(bytes + 255) / 256 * 256);
}

void deallocate(void* memory, std::ptrdiff_t bytes, int device, void* stream) {
  ++calls().freed;
  calls().bytes = bytes;
  calls().device = device;
  calls().stream = stream;
  std::free(memory);
}

constexpr AllocatorFunctions functions = {&allocate, &deallocate};

// Memory of its own, freed in the order of the stream.
struct OrderedResource final : MemoryResource {
  std::vector<std::string> log;

  Address allocate(std::size_t bytes, Stream&) override {
    log.emplace_back("allocate");
    return reinterpret_cast<Address>(new std::byte[bytes]);
  }
  void deallocate(Address memory, std::size_t, Stream& stream) noexcept override {
    stream.add_callback([this, memory] {
      log.emplace_back("free");
      delete[] reinterpret_cast<std::byte*>(memory);
    });
  }
};

struct MemoryResourceTest : CudaFixture {
  MemoryResourceTest() { calls() = {}; }
};

TEST_F(MemoryResourceTest, GivesTheMemoryOfArraysAndGetsItBack) {
  const auto queue = device().create_stream(StreamKind::non_blocking);
  device().set_memory_resource(make_memory_resource(functions));
  Buffer buffer = device().allocate(1000, MemoryKind::device, queue);
  EXPECT_EQ(calls().allocated, 1);
  EXPECT_EQ(calls().bytes, 1000);
  EXPECT_EQ(calls().device, 0);
  EXPECT_EQ(calls().stream, reinterpret_cast<void*>(queue->handle()));
  EXPECT_EQ(buffer.host(), nullptr);
  EXPECT_EQ(fake.calls("pool_allocate"), 0);
  device().set_memory_resource(nullptr);  // what it gave still goes back to it
  Buffer(device().allocate(16)).release();
  EXPECT_EQ(fake.calls("pool_allocate"), 1);
  Buffer moved = std::move(buffer);
  moved.release();
  EXPECT_EQ(calls().freed, 1);
  EXPECT_EQ(calls().bytes, 1000);
  EXPECT_EQ(calls().stream, reinterpret_cast<void*>(queue->handle()));
}

TEST_F(MemoryResourceTest, LeavesOtherKindsOfMemoryAndNoBytesToTheDevice) {
  device().set_memory_resource(make_memory_resource(functions));
  EXPECT_TRUE(device().allocate(0).empty());
  for (const MemoryKind kind :
       {MemoryKind::pinned, MemoryKind::mapped, MemoryKind::managed, MemoryKind::shared})
    EXPECT_EQ(device().allocate(64, kind).size(), 64U);
  EXPECT_EQ(calls().allocated, 0);
}

TEST_F(MemoryResourceTest, GetsMemoryBackAfterTheStreamsThatUseIt) {
  const auto resource = std::make_shared<OrderedResource>();
  device().set_memory_resource(resource);
  const auto home = device().create_stream(StreamKind::non_blocking);
  const auto other = device().create_stream(StreamKind::non_blocking);
  Buffer buffer = device().allocate(4, MemoryKind::device, home);
  const auto writer = kernel("writer", [&, address = buffer.address()](const auto&) {
    *reinterpret_cast<int*>(address) = 7;  // the sanitizer sees it when it is freed already
    resource->log.emplace_back("write");
    return 0;
  });
  buffer.used_on(other);
  device().launch(*writer, {}, {}, *other);
  buffer.release();
  home->synchronize();
  EXPECT_EQ(resource->log, (std::vector<std::string>{"allocate", "write", "free"}));
}

TEST_F(MemoryResourceTest, GetsMemoryOfAThreadsDefaultStreamBackInTheLegacyOne) {
  device().set_memory_resource(make_memory_resource(functions));
  const auto own = device().create_stream(StreamKind::per_thread_default);
  Buffer buffer = device().allocate(4, MemoryKind::device, own);
  std::thread([&] { buffer.release(); }).join();
  EXPECT_EQ(calls().stream, cuda::legacy_stream());
}

TEST_F(MemoryResourceTest, GivesTheCpuDeviceMemoryToo) {
  Device& cpu = runtime->cpu();
  cpu.set_memory_resource(make_memory_resource(functions));
  Buffer buffer = cpu.allocate(8);
  EXPECT_EQ(reinterpret_cast<Address>(buffer.host()), buffer.address());
  buffer.release();
  EXPECT_EQ(calls().allocated, 1);
  EXPECT_EQ(calls().freed, 1);
}

TEST_F(MemoryResourceTest, SaysThatItHasNoMemory) {
  device().set_memory_resource(make_memory_resource(functions));
  calls().is_empty = true;
  const std::string text =
      message_of<OutOfMemoryError>([&] { static_cast<void>(device().allocate(4096)); });
  EXPECT_NE(text.find("the allocator that was set for device 0"), std::string::npos) << text;
  EXPECT_NE(text.find("4096 bytes"), std::string::npos) << text;
  EXPECT_EQ(calls().freed, 0);
}

TEST(MemoryResourceFunctions, MustBothBeThere) {
  EXPECT_THROW(make_memory_resource({&allocate, nullptr}), ValueError);
  EXPECT_THROW(make_memory_resource({nullptr, &deallocate}), ValueError);
}

}  // namespace
}  // namespace phalanx::runtime
