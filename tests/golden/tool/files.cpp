// Golden files: reading, checking, updating.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>

#include "golden.h"

namespace phalanx::golden {

namespace {

constexpr std::string_view between_cases = "====";
constexpr std::string_view before_expected = "----";

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Case> read_cases(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Case> cases(1);
  bool is_expected = false;
  for (std::string line; std::getline(file, line);) {
    if (line == between_cases) {
      cases.emplace_back();
      is_expected = false;
    } else if (line == before_expected) {
      is_expected = true;
    } else if (is_expected) {
      cases.back().expected += line + "\n";
    } else {
      if (line.starts_with("#!"))
        cases.back().command = words_of(line.substr(2));
      cases.back().input += line + "\n";
    }
  }
  for (Case& one : cases) {
    if (one.command.empty() && path.parent_path().filename() == "passes")
      one.command = {"passes", path.stem().string()};
  }
  return cases;
}

std::string result_of(const Case& one) {
  try {
    return run(one.command, one.input);
  } catch (const std::exception& error) {
    return fmt::format("error: {}\n", error.what());
  }
}

// Files of other tools may lie beside ours: they have no command.
bool can_run(const Case& one) {
  return !one.command.empty() && find_mode(one.command.front()) != nullptr;
}

void write_cases(const std::filesystem::path& path, const std::vector<Case>& cases) {
  std::ofstream file(path);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    file << (i == 0 ? "" : std::string(between_cases) + "\n") << cases[i].input << before_expected
         << "\n"
         << cases[i].expected;
  }
}

int check_file(const std::filesystem::path& path, bool is_updating, int& left_out) {
  int differing = 0;
  std::vector<Case> cases = read_cases(path);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!can_run(cases[i])) {
      ++left_out;
      continue;
    }
    const std::string actual = result_of(cases[i]);
    if (actual == cases[i].expected)
      continue;
    ++differing;
    if (!is_updating)
      fmt::print("{}, case {}:\n{}\n", path.string(), i + 1, difference(cases[i].expected, actual));
    cases[i].expected = actual;
  }
  if (is_updating && differing > 0)
    write_cases(path, cases);
  return differing;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string difference(std::string_view expected, std::string_view actual) {
  const auto a = lines_of(expected);
  const auto b = lines_of(actual);
  // common[i][j]: the most lines that a[i..] and b[j..] have in common, in order.
  std::vector<std::vector<unsigned>> common(a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string text;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      text += fmt::format("  {}\n", a[i]);
      ++i;
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      text += fmt::format("- {}\n", a[i++]);
    } else {
      text += fmt::format("+ {}\n", b[j++]);
    }
  }
  return text;
}

int check(const std::filesystem::path& directory, bool is_updating) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().extension() == ".txt")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  int differing = 0;
  int left_out = 0;
  for (const auto& file : files) differing += check_file(file, is_updating, left_out);
  fmt::print(
      "{} files, {} cases {}, {} left out: no command, or not of this build\n",
      files.size(),
      differing,
      is_updating ? "rewritten" : "differ",
      left_out);
  return differing;
}

}  // namespace phalanx::golden
