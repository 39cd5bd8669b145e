// Golden files: cases of input text, the command to run over it, and the text expected.
//
//     # What the case shows.
//     #! passes inline_calls remove_dead
//     input
//     ----
//     expected
//     ====
//     the next case
//
// Without a `#!` line the command is that of the file's place: passes/NAME.txt runs `passes NAME`;
// anywhere else the case is not ours.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace phalanx::golden {

struct Case {
  std::string input;  // with its comments and the command's line
  std::string expected;
  std::vector<std::string> command;
};

// Text in, text out: a mode's name and its arguments, as `passes inline_calls`.
using Mode = std::string (*)(std::string_view input, const std::vector<std::string>& arguments);

// nullptr if there is none of that name.
Mode find_mode(std::string_view name);
std::vector<std::string_view> mode_names();

std::string run(const std::vector<std::string>& command, std::string_view input);

// The files under the directory, checked; or rewritten to what comes out. Returns the number of
// cases that differ, and prints how.
int check(const std::filesystem::path& directory, bool is_updating);

// The lines of both texts, those that differ marked with - and +.
std::string difference(std::string_view expected, std::string_view actual);

std::string read_file(const std::filesystem::path& path);

}  // namespace phalanx::golden
