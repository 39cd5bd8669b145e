// Read-only layers behind the disk cache.
#include "phalanx/jit/cache_layers.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "phalanx/jit/cache.h"
#include "tests/cpp/jit/temporary_directory.h"

namespace phalanx::jit {
namespace {

namespace fs = std::filesystem;

Binary sample(const std::string& entry) {
  Binary binary;
  binary.kind = BinaryKind::cubin;
  binary.entry().symbol = entry;
  binary.code.assign(100, std::byte{7});
  return binary;
}

Digest key(std::uint64_t number) { return Hasher().add(number).digest(); }

class CacheLayersTest : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return temporary.path() / name; }
  fs::path file(const std::string& layer, const Digest& of) const {
    return path(layer) / (to_hex(of) + ".phx");
  }

  // A layer is a cache that was filled before.
  void fill(const std::string& layer, const Digest& of, const std::string& entry) {
    DiskCache({.directory = path(layer).string()}, nullptr).store(of, sample(entry));
  }
  DiskCache make(const std::vector<std::string>& layers, bool enabled = true) {
    CacheOptions options;
    options.enabled = enabled;
    options.directory = path("own").string();
    for (const std::string& layer : layers) options.layers.push_back(path(layer).string());
    return {options, [this](const std::string& text) { warnings.push_back(text); }};
  }

  // What find() gives: the entry's name, "" for nothing.
  static std::string found(DiskCache& cache, const Digest& of) {
    const auto binary = cache.find(of);
    return binary ? binary->entry().symbol : "";
  }

  // Names, times and contents of all files of a layer.
  auto state(const std::string& layer) const {
    std::map<std::string, std::pair<fs::file_time_type, std::string>> files;
    for (const auto& entry : fs::directory_iterator(path(layer))) {
      std::ifstream in(entry.path(), std::ios::binary);
      files[entry.path().filename()] = {
          entry.last_write_time(), std::string(std::istreambuf_iterator<char>(in), {})};
    }
    return std::pair(fs::last_write_time(path(layer)), files);
  }

  TemporaryDirectory temporary;
  std::vector<std::string> warnings;
};

TEST_F(CacheLayersTest, TheWritableCacheComesFirstThenTheLayersInTheirOrder) {
  fill("first", key(1), "first");
  fill("second", key(1), "second");
  fill("second", key(2), "second");
  DiskCache cache = make({"first", "second"});
  EXPECT_EQ(found(cache, key(1)), "first");
  EXPECT_EQ(found(cache, key(2)), "second");
  EXPECT_EQ(found(cache, key(3)), "");
  cache.store(key(1), sample("own"));
  EXPECT_EQ(found(cache, key(1)), "own");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheLayersTest, NothingIsCopiedOutOfALayer) {
  fill("layer", key(1), "layer");
  DiskCache cache = make({"layer"});
  EXPECT_EQ(found(cache, key(1)), "layer");
  EXPECT_FALSE(fs::exists(path("own")));
}

// Hits on old entries, damage, trimming and clearing are what changes a cache of one's own.
TEST_F(CacheLayersTest, NothingInALayerEverChanges) {
  fill("layer", key(1), "layer");
  fill("layer", key(2), "layer");
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(500);
  fs::last_write_time(file("layer", key(1)), old);
  fs::resize_file(file("layer", key(2)), 10);
  std::ofstream(file("layer", key(3)).string() + ".tmp.1.1") << "half";
  fs::last_write_time(file("layer", key(3)).string() + ".tmp.1.1", old);
  const auto before = state("layer");

  CacheOptions options{.directory = path("own").string(), .cap = 1};
  options.layers = {path("layer").string()};
  DiskCache cache(options, nullptr);
  EXPECT_EQ(found(cache, key(1)), "layer");
  EXPECT_EQ(found(cache, key(2)), "");
  cache.store(key(2), sample("own"));
  cache.trim();
  cache.clear();
  EXPECT_EQ(found(cache, key(1)), "layer");
  EXPECT_EQ(state("layer"), before);
}

TEST_F(CacheLayersTest, ADamagedEntryIsPassedOver) {
  fill("first", key(1), "first");
  fs::resize_file(file("first", key(1)), 50);
  fill("second", key(1), "second");
  DiskCache cache = make({"first", "second"});
  EXPECT_EQ(found(cache, key(1)), "second");
}

TEST_F(CacheLayersTest, AnEntryUnderAnotherNameIsNotUsed) {
  fill("layer", key(1), "layer");
  fs::rename(file("layer", key(1)), file("layer", key(2)));
  DiskCache cache = make({"layer"});
  EXPECT_EQ(found(cache, key(2)), "");
}

TEST_F(CacheLayersTest, AFolderThatOthersCanWriteIsNotUsedAndWarnsOnce) {
  fill("layer", key(1), "layer");
  ::chmod(path("layer").c_str(), 0775);
  DiskCache cache = make({"layer"});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(found(cache, key(1)), "");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find(path("layer").string()), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("chmod go-w"), std::string::npos) << warnings[0];
}

TEST_F(CacheLayersTest, AnEntryThatOthersCanWriteIsNotUsed) {
  fill("layer", key(1), "layer");
  ::chmod(file("layer", key(1)).c_str(), 0664);
  DiskCache cache = make({"layer"});
  EXPECT_EQ(found(cache, key(1)), "");
  ::chmod(file("layer", key(1)).c_str(), 0644);
  EXPECT_EQ(found(cache, key(1)), "layer");
}

TEST_F(CacheLayersTest, LinksAndPipesAreNotOpened) {
  fill("elsewhere", key(1), "elsewhere");
  fill("layer", key(3), "layer");
  fs::create_symlink(file("elsewhere", key(1)), file("layer", key(1)));
  ASSERT_EQ(::mkfifo(file("layer", key(2)).c_str(), 0600), 0);
  DiskCache cache = make({"layer"});
  EXPECT_EQ(found(cache, key(1)), "");
  EXPECT_EQ(found(cache, key(2)), "");
  EXPECT_EQ(found(cache, key(3)), "layer");
}

// Packages are installed by root or by the user. Root's effective user is another one here, so
// that root's folders are somebody else's.
TEST_F(CacheLayersTest, WhatRootInstalledIsTrustedAndWhatOthersOwnIsNot) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can act as several users";
  constexpr uid_t reader = 12345;
  fill("of_root", key(1), "of_root");
  fill("of_another", key(2), "of_another");
  fill("file_of_another", key(3), "file_of_another");
  for (const char* layer : {"of_root", "of_another", "file_of_another"}) {
    ::chmod(path(layer).c_str(), 0755);
    for (const auto& entry : fs::directory_iterator(path(layer)))
      ::chmod(entry.path().c_str(), 0644);
  }
  ::chmod(temporary.path().c_str(), 0755);
  ASSERT_EQ(::chown(path("of_another").c_str(), 54321, 54321), 0);
  ASSERT_EQ(::chown(file("file_of_another", key(3)).c_str(), 54321, 54321), 0);
  ASSERT_EQ(::seteuid(reader), 0);
  DiskCache cache = make({"of_root", "of_another", "file_of_another"});
  const std::string trusted = found(cache, key(1));
  const std::string of_another = found(cache, key(2));
  const std::string file_of_another = found(cache, key(3));
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(trusted, "of_root");
  EXPECT_EQ(of_another, "");
  EXPECT_EQ(file_of_another, "");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("another user"), std::string::npos) << warnings[0];
}

TEST_F(CacheLayersTest, SwitchedOffTheCacheReadsNoLayer) {
  fill("layer", key(1), "layer");
  DiskCache cache = make({"layer"}, false);
  EXPECT_EQ(found(cache, key(1)), "");
  EXPECT_TRUE(cache.info().layers.empty());
}

TEST_F(CacheLayersTest, LayersAreReadWhereTheCacheItselfIsNotUsable) {
  fill("layer", key(1), "layer");
  std::ofstream(path("own")) << "not a directory";
  DiskCache cache = make({"layer"});
  EXPECT_EQ(found(cache, key(1)), "layer");
}

TEST_F(CacheLayersTest, InfoHasARowForEachLayer) {
  fill("layer", key(1), "layer");
  fill("layer", key(2), "layer");
  const std::vector<CacheLayerInfo> rows = make({"layer", "missing"}).info().layers;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].directory, path("layer").string());
  EXPECT_EQ(rows[0].problem, "");
  EXPECT_EQ(rows[0].files, 2U);
  EXPECT_GT(rows[0].bytes, 200U);
  EXPECT_NE(rows[1].problem.find("No such file"), std::string::npos) << rows[1].problem;
  EXPECT_EQ(warnings.size(), 1U);
}

TEST(CacheLayersOption, IsAListOfFolders) {
  using Folders = std::vector<std::string>;
  const std::vector<std::pair<const char*, Folders>> cases = {
      {"", {}}, {"/a", {"/a"}}, {"/a:/b", {"/a", "/b"}}, {":/a::/b:", {"/a", "/b"}}};
  for (const auto& [text, folders] : cases) {
    ::setenv("PHALANX_CACHE_LAYERS", text, 1);
    EXPECT_EQ(CacheOptions::from_environment().layers, folders) << text;
  }
  ::unsetenv("PHALANX_CACHE_LAYERS");
  EXPECT_EQ(CacheOptions::from_environment().layers, Folders{});
}

}  // namespace
}  // namespace phalanx::jit
