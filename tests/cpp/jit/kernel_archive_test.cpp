// Archives of machine code, and that packages ship them.
#include "phalanx/jit/kernel_archive.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/parser.h"
#include "phalanx/jit/kernel.h"
#include "phalanx/jit/ship_kernels.h"
#include "tests/cpp/jit/fake_compiler.h"
#include "tests/cpp/jit/temporary_directory.h"

namespace phalanx::jit {
namespace {

namespace fs = std::filesystem;

Digest key(std::uint64_t number) { return Hasher().add(number).digest(); }

// Larger ones fill more than one block.
Binary sample(std::size_t number) {
  Binary binary;
  binary.entry().symbol = "kernel" + std::to_string(number);
  for (std::size_t i = 0; i < 900 * number; ++i)
    binary.code.push_back(static_cast<std::byte>(i * number % 251));
  return binary;
}

class KernelArchiveTest : public testing::Test {
 protected:
  KernelArchiveTest() {
    for (std::size_t i = 0; i < 40; ++i) kernels[key(i)] = sample(i);
  }

  std::string path() const { return (temporary.path() / "common.kernels").string(); }

  std::string text() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  }
  // How many kernels are found, none of which may be wrong.
  std::size_t found() const {
    const auto archive = KernelArchive::open(path());
    std::size_t count = 0;
    for (const auto& [key, binary] : kernels) {
      const auto one = archive ? archive->find(key) : std::nullopt;
      EXPECT_TRUE(!one || *one == binary);
      count += one ? 1 : 0;
    }
    return count;
  }

  TemporaryDirectory temporary;
  std::map<Digest, Binary> kernels;
};

TEST_F(KernelArchiveTest, HasWhatWasWritten) {
  KernelArchive::write(path(), kernels);
  EXPECT_EQ(found(), kernels.size());
  const auto archive = KernelArchive::open(path());
  ASSERT_TRUE(archive);
  EXPECT_EQ(archive->kernels(), kernels.size());
  EXPECT_EQ(archive->bytes(), fs::file_size(path()));
  EXPECT_FALSE(archive->find(key(1000)));
}

TEST_F(KernelArchiveTest, MayBeEmpty) {
  KernelArchive::write(path(), {});
  const auto archive = KernelArchive::open(path());
  ASSERT_TRUE(archive);
  EXPECT_EQ(archive->kernels(), 0);
  EXPECT_FALSE(archive->find(key(1)));
}

TEST_F(KernelArchiveTest, IsNoneWhereItIsCutOffOrForeign) {
  EXPECT_FALSE(KernelArchive::open(path()));
  KernelArchive::write(path(), kernels);
  const std::string whole = text();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, whole.size() / 2, whole.size() - 1}) {
    write(whole.substr(0, size));
    EXPECT_FALSE(KernelArchive::open(path())) << size;
  }
  write("a text" + whole);
  EXPECT_FALSE(KernelArchive::open(path()));
}

TEST_F(KernelArchiveTest, DamageLosesKernelsAndChangesNone) {
  KernelArchive::write(path(), kernels);
  const std::string whole = text();
  std::size_t lost = 0;
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    write(damaged);
    lost += kernels.size() - found();
  }
  EXPECT_GT(lost, 0U);
}

TEST_F(KernelArchiveTest, SaysWhyItCannotBeWritten) {
  EXPECT_THROW(KernelArchive::write("/nowhere/common.kernels", kernels), ValueError);
}

// A kernel that one engine ships, and another one finds.
class ShippedKernelsTest : public testing::Test {
 protected:
  std::unique_ptr<Engine> make_engine(bool has_shipped) {
    CacheOptions cache;
    cache.directory = (temporary.path() / "cache").string();
    if (has_shipped)
      cache.shipped = temporary.path().string();
    return std::make_unique<Engine>(cache, fake.table());
  }
  static std::shared_ptr<Kernel> make_kernel(Engine& engine) {
    KernelDescription description;
    description.name = "work";
    description.types = types_of_work();
    return std::make_shared<Kernel>(engine, std::move(description), [] {
      return std::shared_ptr<ir::Module>(ir::parse(text_of_work));
    });
  }
  Target common() {
    return fake.table().common_targets_for(fake.table().target_of(DeviceKind::cpu, 0)).front();
  }
  // Launches one block of each, and ships the code.
  std::size_t ship(const std::vector<runtime::Dim3>& blocks) {
    const auto engine = make_engine(false);
    const std::vector kernels = {make_kernel(*engine)};
    for (const runtime::Dim3& block : blocks)
      kernels.front()->executable(engine->runtime().cpu(), block);
    const std::size_t count = ship_kernels(kernels, common(), temporary.path().string(), nullptr);
    engine->cache().clear();
    fake.runs = 0;
    return count;
  }

  TemporaryDirectory temporary;
  FakeCompiler fake;
};

TEST_F(ShippedKernelsTest, AreNotCompiledAndNotCopiedToTheCache) {
  EXPECT_EQ(ship({{128, 1, 1}, {16, 16, 1}}), 2);
  const auto engine = make_engine(true);
  const auto kernel = make_kernel(*engine);
  EXPECT_TRUE(kernel->executable(engine->runtime().cpu(), {128, 1, 1}));
  EXPECT_TRUE(kernel->executable(engine->runtime().cpu(), {16, 16, 1}));
  EXPECT_EQ(fake.runs, 0);
  EXPECT_EQ(engine->cache().info().files, 0);
  // What nobody shipped is compiled.
  EXPECT_TRUE(kernel->executable(engine->runtime().cpu(), {8, 2, 1}));
  EXPECT_EQ(fake.runs, 1);
}

TEST_F(ShippedKernelsTest, CodeForOneSizeOfBlocksIsFoundBySize) {
  fake.is_for_block = true;
  EXPECT_EQ(ship({{128, 1, 1}, {64, 1, 1}}), 2);
  const auto engine = make_engine(true);
  const auto kernel = make_kernel(*engine);
  for (const unsigned threads : {64U, 128U}) {
    const auto found = kernel->executable(engine->runtime().cpu(), {threads, 1, 1});
    EXPECT_EQ(found->entry().block[0], threads);
  }
  EXPECT_EQ(fake.runs, 0);
}

TEST_F(ShippedKernelsTest, CodeThatCannotBeLoadedIsCompiled) {
  ship({{128, 1, 1}});
  const std::string path = archive_path(temporary.path().string(), common());
  std::map<Digest, Binary> broken;
  {
    const auto engine = make_engine(false);
    const auto kernel = make_kernel(*engine);
    kernel->executable(engine->runtime().cpu(), {128, 1, 1});
    broken = kernel->code_for(common());
    engine->cache().clear();
  }
  for (auto& [key, binary] : broken) binary.code.resize(20);
  KernelArchive::write(path, broken);
  fake.runs = 0;
  const auto engine = make_engine(true);
  EXPECT_EQ(engine->shipped().info(engine->target_of(engine->runtime().cpu())).size(), 1);
  EXPECT_TRUE(make_kernel(*engine)->executable(engine->runtime().cpu(), {128, 1, 1}));
  EXPECT_EQ(fake.runs, 1);
  EXPECT_TRUE(engine->shipped().info(engine->target_of(engine->runtime().cpu())).empty());
}

TEST_F(ShippedKernelsTest, CodeForGpusIsAssembled) {
  const auto engine = make_engine(false);
  const std::vector kernels = {make_kernel(*engine)};
  Target gpu = fake.table().target_of(DeviceKind::cuda, 90);
  gpu.cpu = "sm_90";
  const std::string folder = temporary.path().string();
  const auto assemble = [](const std::vector<std::string>& texts) {
    EXPECT_EQ(texts, std::vector<std::string>{"ptx"});
    return std::vector<std::vector<std::byte>>{{std::byte{42}}};
  };
  EXPECT_EQ(ship_kernels(kernels, gpu, folder, assemble), 1);
  const auto archive = KernelArchive::open(archive_path(folder, gpu));
  ASSERT_TRUE(archive);
  const auto found = archive->find(kernels.front()->cache_key(gpu, {}, 0));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, BinaryKind::cubin);
  EXPECT_EQ(found->code, std::vector{std::byte{42}});
  const auto too_few = [](const auto&) { return std::vector<std::vector<std::byte>>{}; };
  EXPECT_THROW(ship_kernels(kernels, gpu, folder, too_few), ValueError);
}

}  // namespace
}  // namespace phalanx::jit
