#include "phalanx/libs/nvidia_library.h"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

namespace phalanx::libs {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> loaded_files() {
  std::vector<std::string> files;
  const auto note = [](dl_phdr_info* info, std::size_t, void* list) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(info->dlpi_name);
    return 0;
  };
  ::dl_iterate_phdr(note, &files);
  return files;
}

void add(std::vector<std::string>& list, std::string item) {
  if (std::ranges::find(list, item) == list.end())
    list.push_back(std::move(item));
}

// The folders in `folder` whose names begin so, in the order of their names backwards: newer first.
std::vector<fs::path> folders_in(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().filename().string().starts_with(prefix))
      found.push_back(entry.path());
  }
  std::ranges::sort(found, std::greater<>());
  return found;
}

// Folders with Python packages, by those of their files that the process has loaded.
std::vector<std::string> package_folders(const std::vector<std::string>& files) {
  std::vector<std::string> folders;
  for (const std::string& file : files) {
    for (const std::string_view name : {"/site-packages/", "/dist-packages/"}) {
      const std::size_t found = file.find(name);
      if (found != std::string::npos)
        add(folders, file.substr(0, found + name.size() - 1));
    }
  }
  return folders;
}

std::vector<fs::path> library_folders(const std::vector<std::string>& files) {
  std::vector<fs::path> folders;
  for (const std::string& packages : package_folders(files)) {
    for (const fs::path& package : folders_in(fs::path(packages) / "nvidia", ""))
      folders.push_back(package / "lib");
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* toolkit = std::getenv(variable))
      folders.push_back(fs::path(toolkit) / "lib64");
  }
  if (const char* conda = std::getenv("CONDA_PREFIX"))
    folders.push_back(fs::path(conda) / "lib");
  for (const fs::path& toolkit : folders_in("/usr/local", "cuda"))
    folders.push_back(toolkit / "lib64");
  return folders;
}

}  // namespace

runtime::LibraryChoice choice_of(const NvidiaLibrary& library) {
  runtime::LibraryChoice choice = {library.title, {}, library.remedy};
  if (const char* chosen = std::getenv(library.variable)) {
    choice.files = {chosen};
    return choice;
  }
  const std::string shared = library.stem + ".so";
  const std::vector<std::string> loaded = loaded_files();
  for (const std::string& file : loaded) {
    if (file.find(shared) != std::string::npos)
      add(choice.files, file);
  }
  std::vector<std::string> names;
  for (const std::string_view version : library.versions)
    names.push_back(shared + "." + std::string(version));
  for (const fs::path& folder : library_folders(loaded)) {
    for (const std::string& name : names) {
      std::error_code problem;
      if (fs::exists(folder / name, problem))
        add(choice.files, (folder / name).string());
    }
  }
  for (const std::string& name : names) add(choice.files, name);
  return choice;
}

}  // namespace phalanx::libs
