# build_id.cpp: regenerated when a source that decides the generated code changes.
include_guard(GLOBAL)

set(patterns)
foreach(
  room
  IN
  ITEMS base ir infer numpy frontend passes codegen jit cudac
)
  foreach(ending IN ITEMS h cpp def cuh)
    list(APPEND patterns "${PROJECT_SOURCE_DIR}/phalanx/${room}/*.${ending}")
  endforeach()
endforeach()
list(APPEND patterns "${PROJECT_SOURCE_DIR}/python/phalanx/_library/*.py")
file(GLOB_RECURSE compiler_sources RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS ${patterns})
list(SORT compiler_sources)
set(build_id_list "${PROJECT_BINARY_DIR}/build_id_sources.txt")
list(JOIN compiler_sources "\n" compiler_sources_text)
file(CONFIGURE OUTPUT "${build_id_list}" CONTENT "${compiler_sources_text}\n" @ONLY)

set(build_id_cpp "${PROJECT_BINARY_DIR}/build_id.cpp")
list(TRANSFORM compiler_sources PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE compiler_files)
add_custom_command(
  OUTPUT "${build_id_cpp}"
  COMMAND
    "${CMAKE_COMMAND}" -D "ROOT=${PROJECT_SOURCE_DIR}" -D "VERSION=${PROJECT_VERSION}" -D
    "LLVM_VERSION=${LLVM_PACKAGE_VERSION}" -D "SOURCES=${build_id_list}" -D "OUTPUT=${build_id_cpp}"
    -P "${PROJECT_SOURCE_DIR}/cmake/build_id.cmake"
  DEPENDS ${compiler_files} "${build_id_list}" "${PROJECT_SOURCE_DIR}/cmake/build_id.cmake"
  COMMENT "Hashing the compiler's sources"
  VERBATIM
)
# In its own target: the rooms need not wait for the hash.
add_library(phalanx_build_id OBJECT "${build_id_cpp}")
target_link_libraries(phalanx_build_id PRIVATE phalanx_options)
target_link_libraries(phalanx_core PRIVATE phalanx_build_id)
