// Copies of strided arrays on the CPU device and on GPUs, whose kernels the interpreter runs.
#include "phalanx/views/copier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/ir.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/runtime/runtime.h"
#include "tests/support/fake_driver.h"
#include "tests/support/interpreter.h"

namespace phalanx::views {
namespace {

using Bytes = std::vector<std::byte>;

// Elements of a shape within a block of memory.
struct Layout {
  std::string name;
  Extents strides;
  std::int64_t offset = 0;
};

const Extents shape = {3, 4, 5};
constexpr std::int64_t elements = 60;

// Strides of the dimensions in this order, the last the innermost, `step` items apart.
Layout layout(
    std::string name, std::vector<std::size_t> order, std::int64_t item, std::int64_t step = 1) {
  Layout made{std::move(name), Extents(3), 0};
  std::int64_t stride = item * step;
  for (auto dimension = order.rbegin(); dimension != order.rend(); ++dimension) {
    made.strides[*dimension] = stride;
    stride *= shape[*dimension];
  }
  return made;
}

Layout reversed(Layout given, std::vector<std::size_t> dimensions) {
  given.name += " reversed";
  for (const std::size_t dimension : dimensions) {
    given.offset += (shape[dimension] - 1) * given.strides[dimension];
    given.strides[dimension] *= -1;
  }
  return given;
}

std::vector<Layout> target_layouts(std::int64_t item) {
  std::vector<Layout> all = {
      layout("C", {0, 1, 2}, item),
      layout("F", {2, 1, 0}, item),
      layout("permuted", {1, 2, 0}, item),
      layout("every second", {0, 1, 2}, item, 2),
      layout("every second permuted", {2, 0, 1}, item, 2)};
  all.push_back(reversed(all[0], {0, 2}));
  all.push_back(reversed(all[4], {1}));
  all.push_back({"rows with gaps", {30 * item, 7 * item, item}, item});
  all.push_back({"unaligned", all[0].strides, 1});
  return all;
}

std::vector<Layout> source_layouts(std::int64_t item) {
  std::vector<Layout> all = target_layouts(item);
  all.push_back({"broadcast", {0, item, 4 * item}, item});
  all.push_back({"one item", {0, 0, 0}, item});
  all.push_back({"windows", {item, item, item}, 0});
  return all;
}

std::int64_t position(const Layout& in, std::int64_t i, std::int64_t j, std::int64_t k) {
  return in.offset + i * in.strides[0] + j * in.strides[1] + k * in.strides[2];
}

void copy_items(
    Bytes& to, const Layout& to_layout, const Bytes& from, const Layout& from_layout, int item) {
  for (std::int64_t i = 0; i < shape[0]; ++i)
    for (std::int64_t j = 0; j < shape[1]; ++j)
      for (std::int64_t k = 0; k < shape[2]; ++k)
        std::memcpy(
            to.data() + position(to_layout, i, j, k),
            from.data() + position(from_layout, i, j, k),
            static_cast<std::size_t>(item));
}

Bytes numbered(std::int64_t count, int first) {
  Bytes made(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<std::byte>((i * 7 + static_cast<std::size_t>(first)) & 0xffU);
  return made;
}

class CopierTest : public ::testing::Test {
 protected:
  CopierTest()
      : runtime(runtime::RuntimeOptions{.driver = with_two(fake)}),
        copier(runtime, [this](KernelSource source) { return prepare(std::move(source)); }) {}

  static const runtime::cuda::Driver* with_two(support::FakeDriver& fake) {
    fake.devices = 2;
    return &fake.table();
  }

  // The fake GPU runs what the interpreter makes of the kernel.
  FindKernel prepare(KernelSource source) {
    const std::shared_ptr<ir::Module> module = source.module();
    ir::verify(*module);
    fake.kernels[source.name] = [module](const support::FakeLaunch& launch) {
      test::InterpreterLaunch run;
      run.parameters = launch.parameters.data();
      std::ranges::copy(launch.grid, run.grid.begin());
      std::ranges::copy(launch.block, run.block.begin());
      const auto outcome = test::interpret(*module, run);
      return outcome.is_complete && !outcome.raised ? runtime::cuda::Result{0}
                                                    : runtime::cuda::Result{719};
    };
    Binary binary;
    binary.kind = BinaryKind::ptx;
    binary.entry().symbol = source.name;
    binary.entry().parameter_bytes =
        static_cast<std::uint32_t>(ir::layout_parameters(source.types).bytes);
    binary.code = support::fake_code(source.name);
    return [this, binary](runtime::Device& device, const runtime::Dim3&) {
      auto& loaded = executables[{&device, binary.entry().symbol}];
      if (!loaded)
        loaded = device.load(binary, binary.entry().symbol);
      return loaded;
    };
  }

  DeviceArray bytes_on(
      runtime::Device& device,
      const Bytes& content,
      const std::shared_ptr<runtime::Stream>& stream = nullptr) {
    const auto count = static_cast<std::int64_t>(content.size());
    DeviceArray made = allocate_array(types, device, stream, {DType::uint8, {count}});
    Bytes copy = content;
    copier.from_host(made, {copy.data(), {count}, {1}, 1}, made.queue(), true);
    return made;
  }
  Bytes content_of(const DeviceArray& array) {
    Bytes made(array.bytes());
    copier.to_host(array, {made.data(), array.shape, array.strides, 1}, array.queue(), true);
    return made;
  }
  DeviceArray view(const DeviceArray& memory, const Layout& as, const ir::Type& element) {
    return view_array(types, memory, shape, as.strides, as.offset, element);
  }
  static HostArray host_view(Bytes& memory, const Layout& as, const ir::Type& element) {
    return {memory.data() + as.offset, shape, as.strides, ir::size_of(element)};
  }

  // For each pair of layouts: copy(target's layout, source's, memory of the target, of the source)
  // gives what is then in the target's memory.
  template <typename Copy>
  void for_each_pair(const ir::Type& element, const Copy& copy, bool is_one_memory = false) {
    const auto item = static_cast<std::int64_t>(ir::size_of(element));
    for (const Layout& to : target_layouts(item)) {
      for (const Layout& from : source_layouts(item)) {
        SCOPED_TRACE(from.name + " to " + to.name + ", items of " + std::to_string(item));
        Bytes source = numbered(3 * elements * item, 100);
        Bytes before = is_one_memory ? source : numbered(3 * elements * item, 1);
        Bytes expected = before;
        copy_items(expected, to, source, from, static_cast<int>(item));
        EXPECT_EQ(copy(to, from, before, source), expected);
      }
    }
  }

  support::FakeDriver fake;
  runtime::Runtime runtime;
  std::map<std::pair<runtime::Device*, std::string>, std::shared_ptr<runtime::Executable>>
      executables;
  ir::TypeTable types;
  Copier copier;
};

// A record of 12 bytes: no power of two.
const std::vector<ir::Type> item_types = {
    DType::int8,
    DType::float16,
    DType::float32,
    DType::float64,
    DType::complex128,
    ir::Type::record(
        {{"a", DType::float32, 0}, {"b", DType::float32, 4}, {"c", DType::float32, 8}}, 12, 4)};

class CopiesOfItems : public CopierTest, public ::testing::WithParamInterface<std::size_t> {
 protected:
  const ir::Type element = item_types[GetParam()];

  void check_host_copies(runtime::Device& device) {
    for_each_pair(element, [&](const Layout& to, const Layout& from, Bytes& before, Bytes& source) {
      const DeviceArray memory = bytes_on(device, before);
      copier.from_host(
          view(memory, to, element), host_view(source, from, element), memory.queue(), true);
      return content_of(memory);
    });
    for_each_pair(element, [&](const Layout& to, const Layout& from, Bytes& before, Bytes& source) {
      const DeviceArray memory = bytes_on(device, source);
      copier.to_host(
          view(memory, from, element), host_view(before, to, element), memory.queue(), true);
      return before;
    });
  }
  void check_copies(runtime::Device& target_device, runtime::Device& source_device) {
    for_each_pair(element, [&](const Layout& to, const Layout& from, Bytes& before, Bytes& source) {
      const DeviceArray target = bytes_on(target_device, before);
      {
        const DeviceArray memory = bytes_on(source_device, source);
        copier.copy(view(target, to, element), view(memory, from, element), target.queue());
      }
      return content_of(target);
    });
  }
};

TEST_P(CopiesOfItems, BetweenTheHostAndTheCpuDevice) { check_host_copies(runtime.cpu()); }
TEST_P(CopiesOfItems, BetweenTheHostAndAGpu) { check_host_copies(runtime.cuda(0)); }
TEST_P(CopiesOfItems, WithinTheCpuDevice) { check_copies(runtime.cpu(), runtime.cpu()); }
TEST_P(CopiesOfItems, WithinAGpu) {
  check_copies(runtime.cuda(0), runtime.cuda(0));
  EXPECT_GT(executables.size(), 0U);
}
TEST_P(CopiesOfItems, FromTheCpuDeviceToAGpu) { check_copies(runtime.cuda(0), runtime.cpu()); }
TEST_P(CopiesOfItems, FromAGpuToTheCpuDevice) { check_copies(runtime.cpu(), runtime.cuda(0)); }
TEST_P(CopiesOfItems, FromGpuToGpu) {
  fake.total_memory = std::size_t{1} << 30;
  check_copies(runtime.cuda(0), runtime.cuda(1));
}

// All of the source is read before any of the target is written.
TEST_P(CopiesOfItems, WithinOneBlockOfMemory) {
  for (runtime::Device* device : {&runtime.cpu(), &runtime.cuda(0)}) {
    const auto copy = [&](const Layout& to, const Layout& from, Bytes& before, Bytes&) {
      const DeviceArray memory = bytes_on(*device, before);
      copier.copy(view(memory, to, element), view(memory, from, element), memory.queue());
      return content_of(memory);
    };
    for_each_pair(element, copy, true);
  }
}

TEST_P(CopiesOfItems, FillsLeaveTheGapsAsTheyAre) {
  const auto item = static_cast<std::int64_t>(ir::size_of(element));
  const Bytes value = numbered(item, 50);
  for (runtime::Device* device : {&runtime.cpu(), &runtime.cuda(0)}) {
    for (const Layout& to : target_layouts(item)) {
      SCOPED_TRACE(to.name);
      Bytes expected = numbered(3 * elements * item, 1);
      const DeviceArray memory = bytes_on(*device, expected);
      copier.fill(view(memory, to, element), value, memory.queue());
      copy_items(expected, to, value, {"", {0, 0, 0}, 0}, static_cast<int>(item));
      EXPECT_EQ(content_of(memory), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CopiesOfItems, ::testing::Range<std::size_t>(0, item_types.size()), [](const auto& row) {
      return "Bytes" + std::to_string(ir::size_of(item_types[row.param]));
    });

// From end to end it has as many bytes as its elements, and yet it has gaps.
TEST_F(CopierTest, OverlappingRowsWithGapsAreStrided) {
  const Bytes before = numbered(16, 1);
  for (const bool is_fill : {false, true}) {
    Bytes source(16, std::byte{9});
    const DeviceArray memory = bytes_on(runtime.cuda(0), before);
    const DeviceArray target = view_array(types, memory, {2, 2}, {0, 12}, 0, DType::int32);
    if (is_fill)
      copier.fill(target, std::span(source).first(4), memory.queue());
    else
      copier.from_host(target, {source.data(), {2, 2}, {8, 4}, 4}, memory.queue(), true);
    Bytes expected = before;
    for (const std::size_t i : {0U, 1U, 2U, 3U, 12U, 13U, 14U, 15U}) expected[i] = std::byte{9};
    EXPECT_EQ(content_of(memory), expected);
  }
}

TEST_F(CopierTest, ComesAfterTheWorkOfTheSourcesStream) {
  runtime::Device& gpu = runtime.cuda(0);
  const auto own = gpu.create_stream(runtime::StreamKind::non_blocking);
  const auto other = gpu.create_stream(runtime::StreamKind::non_blocking);
  const DeviceArray source = bytes_on(gpu, Bytes(8, std::byte{1}), own);
  const DeviceArray target = bytes_on(gpu, Bytes(8), other);
  const Bytes two(1, std::byte{2});
  const Bytes three(1, std::byte{3});
  copier.copy(target, source, *other);  // the other stream knows the memory from here on
  copier.fill(source, two, *own);
  copier.copy(target, source, *other);
  copier.fill(source, three, *own);  // not before it was copied
  own->synchronize();
  EXPECT_EQ(content_of(target), Bytes(8, std::byte{2}));
}

TEST_F(CopierTest, ArraysOfOneOrderOfDimensionsAreCopiedInOnePiece) {
  const Layout order = layout("permuted", {1, 2, 0}, 4);
  runtime::Device& gpu = runtime.cuda(0);
  const DeviceArray target = view(bytes_on(gpu, Bytes(240)), order, DType::float32);
  const DeviceArray source = view(bytes_on(gpu, Bytes(240)), order, DType::float32);
  copier.copy(target, source, target.queue());
  EXPECT_EQ(fake.calls("copy"), 1);
  EXPECT_TRUE(executables.empty());
}

TEST_F(CopierTest, StridedCopiesBetweenGpusDoNotPassThroughTheHost) {
  const Layout order = layout("every second", {2, 1, 0}, 4, 2);
  const DeviceArray target = bytes_on(runtime.cuda(0), numbered(480, 1));
  const DeviceArray source = bytes_on(runtime.cuda(1), numbered(480, 2));
  const int before = fake.calls("copy_to_host");
  copier.copy(
      view(target, order, DType::float32),
      view(source, layout("C", {0, 1, 2}, 4), DType::float32),
      target.queue());
  EXPECT_EQ(fake.calls("copy_peer"), 1);
  EXPECT_EQ(fake.calls("copy_to_host"), before);
}

}  // namespace
}  // namespace phalanx::views
