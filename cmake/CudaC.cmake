# phalanx_cudac: the front end for CUDA C, a shared library of its own with clang inside. The engine
# loads it when CUDA C is compiled; nothing else needs it, nor clang.
include_guard(GLOBAL)

find_path(PHALANX_CLANG_HEADERS clang/AST/ASTContext.h HINTS "${LLVM_INCLUDE_DIRS}")
set(clang_libraries)
foreach(
  part
  IN
  ITEMS
    Frontend
    Serialization
    Driver
    Parse
    Sema
    Analysis
    Edit
    APINotes
    AST
    ASTMatchers
    Lex
    Basic
    Support
)
  find_library(PHALANX_CLANG_${part} "libclang${part}.a" HINTS "${LLVM_LIBRARY_DIRS}")
  list(APPEND clang_libraries "${PHALANX_CLANG_${part}}")
endforeach()
if(NOT PHALANX_CLANG_HEADERS OR NOT PHALANX_CLANG_Frontend)
  message(STATUS "CUDA C: not built, as clang 19's libraries are not there (libclang-19-dev)")
  return()
endif()
message(STATUS "CUDA C: clang in ${PHALANX_CLANG_HEADERS}")

file(
  GLOB_RECURSE cudac_headers
  CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/phalanx/cudac/include/*.cuh"
)
set(embedded_headers "${PROJECT_BINARY_DIR}/embedded_headers.cpp")
add_custom_command(
  OUTPUT "${embedded_headers}"
  COMMAND
    "${CMAKE_COMMAND}" -D "FOLDER=${PROJECT_SOURCE_DIR}/phalanx/cudac/include" -D
    "OUTPUT=${embedded_headers}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_headers.cmake"
  DEPENDS ${cudac_headers} "${PROJECT_SOURCE_DIR}/cmake/embed_headers.cmake"
  VERBATIM
)
file(GLOB cudac_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/phalanx/cudac/*.cpp")
phalanx_batches(cudac_sources phalanx_cudac ${cudac_sources})
add_library(
  phalanx_cudac
  SHARED
  ${cudac_sources}
  "${embedded_headers}"
  # It runs on old systems as the module does.
  "${PROJECT_SOURCE_DIR}/phalanx/bindings/old_glibc.cpp"
  $<TARGET_OBJECTS:phalanx_base>
  $<TARGET_OBJECTS:phalanx_ir>
  $<TARGET_OBJECTS:phalanx_build_id>
)
target_include_directories(phalanx_cudac SYSTEM PRIVATE "${PHALANX_CLANG_HEADERS}")
llvm_map_components_to_libnames(
  cudac_llvm
  Support
  Core
  BitReader
  FrontendOpenMP
  FrontendHLSL
  MC
  MCParser
  Object
  Option
  ProfileData
  TargetParser
  WindowsDriver
)
target_link_libraries(
  phalanx_cudac
  PRIVATE
    phalanx_options
    phalanx_fmt
    phalanx_llvm_headers
    Threads::Threads
    ${clang_libraries}
    ${cudac_llvm}
    ${CMAKE_DL_LIBS}
)
set(cudac_version "${PROJECT_SOURCE_DIR}/cmake/cudac.version")
target_link_options(
  phalanx_cudac
  PRIVATE
    "LINKER:--version-script=${cudac_version}"
    LINKER:--gc-sections
    LINKER:--as-needed
    -static-libstdc++
    -l:libgcc.a
    LINKER:--push-state,--no-as-needed,-l:libpthread.so.0,-l:libdl.so.2,--pop-state
)
set_target_properties(
  phalanx_cudac
  PROPERTIES
    LINK_DEPENDS "${cudac_version}"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/phalanx"
)
