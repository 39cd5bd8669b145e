// The table of the lines that profiles have found. With the GIL, all of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace phalanx::bindings {

struct ProfileSite {
  std::string path;
  std::string function;
  int line = 0;
};

// The site of the line that this thread runs, with or without the GIL; 0: not known.
std::uint32_t locate_site();

// Forgets all; frames of files in `package` are ours, and those of `libraries` are not the
// program's.
void reset_sites(std::string package, std::vector<std::string> libraries);
std::string describe_site(std::uint32_t site);  // as Profiler::Describe; with or without the GIL
std::vector<ProfileSite> profile_sites();       // from number 1 on

}  // namespace phalanx::bindings
