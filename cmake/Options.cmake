# How our own code is compiled: phalanx_options is linked by every target of ours.
include_guard(GLOBAL)

option(PHALANX_WERROR "Warnings in our own code are errors" OFF)
option(PHALANX_CCACHE "Compile through ccache when it is there" ON)
option(PHALANX_MODULE "Build the Python extension module" ON)
option(PHALANX_TESTS "Build the C++ tests" ON)
option(PHALANX_STRIP "Strip the extension module when it is linked" OFF)
set(PHALANX_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
set(
  PHALANX_SANITIZE_ROOMS
  ""
  CACHE STRING
  "The rooms that are compiled for the sanitizers, whose tests are built; empty: all"
)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PHALANX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(PHALANX_CCACHE_PROGRAM ccache)
  if(PHALANX_CCACHE_PROGRAM)
    # Paths are hashed relative to the source tree, so that all build directories share results.
    set(
      CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}"
      -E
      env
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=time_macros
      "${PHALANX_CCACHE_PROGRAM}"
    )
  endif()
endif()

add_library(phalanx_options INTERFACE)
target_include_directories(phalanx_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(
  phalanx_options
  INTERFACE
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    # A designated initialiser names what differs from the default; g++ 12 warns about the rest.
    -Wno-missing-field-initializers
    # What PHX_API makes visible is not to be replaced by programs: it may be inlined.
    -fno-semantic-interposition
    -ffunction-sections
    -fdata-sections
    $<$<BOOL:${PHALANX_WERROR}>:-Werror>
)
# FMA contraction is an option of the generated code; our own results must not depend on it.
target_compile_options(phalanx_options INTERFACE -ffp-contract=off)

# phalanx_sanitize(TARGET): its code is compiled for the sanitizers, and linked with them.
function(phalanx_sanitize target)
  if(PHALANX_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${PHALANX_SANITIZE})
    target_compile_options(
      ${target}
      # g++ warns of what the sanitizers' own code seems to do.
      PRIVATE
        -fsanitize=${PHALANX_SANITIZE}
        -fno-omit-frame-pointer
        -g1
        -fno-sanitize-recover=all
        -Wno-error
    )
  endif()
endfunction()

find_program(PHALANX_LLD NAMES ld.lld-19 ld.lld)
if(PHALANX_LLD)
  get_filename_component(lld_dir "${PHALANX_LLD}" REALPATH)
  get_filename_component(lld_dir "${lld_dir}" DIRECTORY)
  # g++ finds the linker called ld.lld in the directory given by -B.
  add_link_options(-fuse-ld=lld "-B${lld_dir}" LINKER:--threads=2)
else()
  message(STATUS "lld 19 not found: linking with the default linker (larger, slower)")
endif()
