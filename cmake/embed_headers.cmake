# Writes OUTPUT, the C++ source of embedded_headers(), from the header files in FOLDER. They are
# CUDA C, and called so: NAME.cuh is what source includes as NAME.
file(GLOB_RECURSE files RELATIVE "${FOLDER}" "${FOLDER}/*.cuh")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  string(REGEX REPLACE "\\.cuh$" "" name "${file}")
  file(READ "${FOLDER}/${file}" text)
  string(APPEND rows "    EmbeddedHeader{\"${name}\", R\"PHX(${text})PHX\"},\n")
endforeach()
file(
  WRITE "${OUTPUT}"
  "// Made by cmake/embed_headers.cmake.\n"
  "#include \"phalanx/cudac/embedded_headers.h\"\n\n"
  "#include <array>\n\n"
  "namespace phalanx::cudac {\n\n"
  "std::span<const EmbeddedHeader> embedded_headers() {\n"
  "  static constexpr std::array headers = {\n${rows}  };\n"
  "  return headers;\n"
  "}\n\n"
  "}  // namespace phalanx::cudac\n"
)
