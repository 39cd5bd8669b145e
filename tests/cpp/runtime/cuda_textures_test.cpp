// Arrays, textures and surfaces of the CUDA device, as the driver is asked for them.
#include <array>
#include <numeric>

#include "phalanx/runtime/texture.h"
#include "tests/cpp/runtime/cuda_fixture.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::runtime {
namespace {

using namespace cuda;  // NOLINT: the driver's numbers

struct CudaTextures : CudaFixture {
  Textures& textures() { return device().textures(); }
  support::FakeTextures& made() { return fake.parts().textures; }
  const ResourceDescriptor& last_resource() { return made().objects.rbegin()->second; }

  std::shared_ptr<TextureArray> floats(bool is_surface = false) {
    return textures().make_array({}, {.width = 8}, is_surface);
  }
};

// Format, extent, and what the driver is told of the format.
struct ArrayCase {
  ChannelFormat format;
  TextureExtent extent;
  int native;
};

TEST_F(CudaTextures, CopiesArraysOfAllFormatsThereAndBack) {
  using enum ChannelKind;
  for (const ArrayCase& each :
       {ArrayCase{{unsigned_integer, 8, 4}, {5, 0, 0}, 0x01},
        ArrayCase{{unsigned_integer, 16, 2}, {5, 3, 0}, 0x02},
        ArrayCase{{unsigned_integer, 32, 1}, {5, 3, 2}, 0x03},
        ArrayCase{{signed_integer, 8, 1}, {7, 2, 0}, 0x08},
        ArrayCase{{signed_integer, 16, 4}, {7, 2, 3}, 0x09},
        ArrayCase{{signed_integer, 32, 2}, {7, 0, 0}, 0x0a},
        ArrayCase{{floating, 16, 1}, {3, 4, 5}, 0x10},
        ArrayCase{{floating, 32, 4}, {3, 4, 5}, 0x20}}) {
    const auto array = textures().make_array(each.format, each.extent, false);
    const auto& native = made().arrays.begin()->second->descriptor;
    EXPECT_EQ(native.format, each.native);
    EXPECT_EQ(native.height, each.extent.height);
    std::vector<unsigned char> given(array->bytes());
    std::iota(given.begin(), given.end(), std::uint8_t{1});
    array->copy_from_host(given.data(), stream());
    const Buffer on_device = device().allocate(given.size());
    array->copy_to(on_device.address(), stream());
    const auto other = textures().make_array(each.format, each.extent, false);
    other->copy_from(on_device.address(), stream());
    std::vector<unsigned char> back(given.size());
    other->copy_to_host(back.data(), stream());
    EXPECT_EQ(back, given);
  }
  EXPECT_TRUE(made().arrays.empty());
}

TEST_F(CudaTextures, TellsTheDriverHowATextureReads) {
  const Sampler sampler = {
      .address = {AddressMode::border, AddressMode::clamp, AddressMode::mirror},
      .filter = FilterMode::linear,
      .reads_normalized = true,
      .has_normalized_coordinates = true,
      .is_srgb = true,
      .max_anisotropy = 3,
      .border = {1, 2, 3, 4}};
  const auto bytes = textures().make_array(
      {ChannelKind::unsigned_integer, 8, 4}, {.width = 8, .height = 8}, false);
  const auto texture = textures().make_texture({.array = bytes}, sampler);
  EXPECT_EQ(texture->handle(), made().last_handle);
  const TextureDescriptor& told = made().last_texture;
  // The third dimension, which it has not, is clamped.
  EXPECT_EQ(std::to_array(told.address_modes), (std::array{3, 1, 1}));
  EXPECT_EQ(told.filter_mode, 1);
  EXPECT_EQ(told.flags, texture_normalized_coordinates | texture_srgb);
  EXPECT_EQ(told.max_anisotropy, 3U);
  EXPECT_EQ(told.border[3], 4);
}

TEST_F(CudaTextures, ReadsIntegersAsTheyAreAndWrapsNormalizedCoordinatesOnly) {
  const auto bytes =
      textures().make_array({ChannelKind::signed_integer, 8, 1}, {.width = 8}, false);
  const auto texture = textures().make_texture({.array = bytes}, {});
  EXPECT_EQ(made().last_texture.flags, texture_reads_integers);
  EXPECT_EQ(made().last_texture.address_modes[0], 1);  // not wrap, but clamp
}

TEST_F(CudaTextures, TakesMemoryInARowAndInRows) {
  const Buffer memory = device().allocate(8192);
  const Address aligned = (memory.address() + 511) / 512 * 512;
  const auto row =
      textures().make_texture({.memory = aligned, .format = {}, .extent = {.width = 100}}, {});
  EXPECT_EQ(last_resource().type, resource_linear);
  EXPECT_EQ(last_resource().memory.extent[0], 400U);
  const auto rows = textures().make_texture(
      {.memory = aligned, .format = {}, .extent = {.width = 100, .height = 8}, .pitch = 512}, {});
  EXPECT_EQ(last_resource().type, resource_pitched);
  EXPECT_EQ(last_resource().memory.memory, aligned);
  EXPECT_EQ(last_resource().memory.extent[0], 100U);
  EXPECT_EQ(last_resource().memory.extent[1], 8U);
  EXPECT_EQ(last_resource().memory.extent[2], 512U);
}

TEST_F(CudaTextures, SayHowMemoryHasToLie) {
  const auto refusal = [&](Address memory, std::size_t pitch) {
    return message_of<ValueError>([&] {
      textures().make_texture(
          {.memory = memory, .format = {}, .extent = {.width = 8, .height = 8}, .pitch = pitch},
          {});
    });
  };
  EXPECT_NE(refusal(512 + 4, 64).find("no multiple of 512"), std::string::npos);
  EXPECT_NE(refusal(512, 36).find("no multiple of 32"), std::string::npos);
  EXPECT_NE(refusal(512, 28).find("a row of 8 elements has 32"), std::string::npos);
  EXPECT_NE(refusal(514, 64).find("elements of 4 bytes"), std::string::npos);
}

TEST_F(CudaTextures, KeepAnArrayWhileATextureIsOfIt) {
  auto array = floats(true);
  const auto texture = textures().make_texture({.array = array}, {});
  auto surface = textures().make_surface(array);
  array.reset();
  EXPECT_EQ(made().arrays.size(), 1U);
  surface.reset();
  EXPECT_EQ(made().objects.size(), 1U);
}

TEST_F(CudaTextures, KeepTheMemoryThatTheyAreOf) {
  auto memory = std::make_shared<Buffer>(device().allocate(8192));
  const Address aligned = (memory->address() + 511) / 512 * 512;
  auto texture = textures().make_texture(
      {.memory = aligned, .keep = memory, .format = {}, .extent = {.width = 100}}, {});
  memory.reset();
  EXPECT_GT(fake.live_device_bytes(), 0U);
  auto recording = device().start_recording();
  texture.reset();  // when the recording ends, and its memory after it
  EXPECT_GT(fake.live_device_bytes(), 0U);
  recording.reset();
  device().synchronize();
  EXPECT_EQ(fake.live_device_bytes(), 0U);
}

TEST_F(CudaTextures, WaitForTheKernelsThatReadThem) {
  auto texture = textures().make_texture({.array = floats()}, {});
  bool has_run = false;
  const auto reader = kernel("reader", [&](const auto&) {
    has_run = made().objects.size() == 1;
    return 0;
  });
  launch(*reader);
  texture.reset();
  EXPECT_TRUE(has_run);
  EXPECT_TRUE(made().arrays.empty());
}

TEST_F(CudaTextures, LeaveNothingBehindWhenTheDriverFails) {
  fake.fail_next("array_create", result::out_of_memory);
  EXPECT_THROW(floats(), OutOfMemoryError);
  const auto array = floats();
  fake.fail_next("texture_create", result::invalid_value);
  EXPECT_THROW(textures().make_texture({.array = array}, {}), DeviceError);
  EXPECT_TRUE(made().objects.empty());
}

TEST_F(CudaTextures, RefuseAnArrayThatIsNotForSurfaces) {
  const auto text = message_of<ValueError>([&] { textures().make_surface(floats()); });
  EXPECT_NE(text.find("cudaArraySurfaceLoadStore"), std::string::npos);
}

}  // namespace
}  // namespace phalanx::runtime
