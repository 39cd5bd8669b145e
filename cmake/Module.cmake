# The extension module phalanx._engine, in nanobind's split mode: one binary for Python 3.11 and newer,
# and one for free-threaded Pythons from 3.15 on. Those before have no stable ABI: a binary for each.
include_guard(GLOBAL)

if(NOT TARGET Python::Module)
  message(FATAL_ERROR "Python's headers were not found: install python3-dev")
endif()
execute_process(
  COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_VARIABLE nanobind_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE
)
find_package(nanobind CONFIG REQUIRED)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/phalanx/bindings/*.cpp")
phalanx_batches(sources _engine ${sources})
set(strip_option NOSTRIP)
if(PHALANX_STRIP)
  set(strip_option)
endif()
set(split_mode BACKEND_MODULE nanobind_backend BACKEND_PYPI nanobind-backend)
if(NOT NB_FREE_THREADED)
  set(mode ${split_mode} STABLE_ABI_VERSION 3.11)
elseif(Python_VERSION VERSION_LESS 3.15)
  set(mode FREE_THREADED NB_STATIC)
else()
  set(mode ${split_mode} FREE_THREADED STABLE_ABI_VERSION 3.15)
endif()
nanobind_add_module(
  _engine
  ${mode}
  NOMINSIZE
  NB_SUPPRESS_WARNINGS
  ${strip_option}
  ${sources}
)
target_link_libraries(_engine PRIVATE phalanx_core)

set(version_script "${PROJECT_SOURCE_DIR}/phalanx/bindings/engine.version")
target_link_options(
  _engine
  PRIVATE
    "LINKER:--version-script=${version_script}"
    LINKER:--gc-sections
    LINKER:--as-needed
    # No --icf=all, which would save 6 %: lld folds the cold parts that g++ splits off two functions where
    # their code is the same but not their frames, and an exception that passes one ends the process.
    $<$<BOOL:${PHALANX_LLD}>:LINKER:-O2>
    # The functions of a launch ([[gnu::hot]]) lie in few pages: the driver's own code evicts them
    # between two launches. GNU's linker gathers them anyway.
    $<$<BOOL:${PHALANX_LLD}>:LINKER:-z,keep-text-section-prefix>
    # Systems with an older g++ than ours have neither its C++ library nor the helpers for float16.
    -static-libstdc++
    -l:libgcc.a
    # Before glibc 2.34 these were libraries of their own; phalanx/bindings/old_glibc.cpp.
    LINKER:--push-state,--no-as-needed,-l:libpthread.so.0,-l:libdl.so.2,--pop-state
)
set_target_properties(
  _engine
  PROPERTIES
    LINK_DEPENDS "${version_script}"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/phalanx"
    BUILD_RPATH_USE_ORIGIN ON
    INSTALL_RPATH "$ORIGIN/_libs"
    BUILD_WITH_INSTALL_RPATH ON
)
install(TARGETS _engine LIBRARY DESTINATION phalanx)

# The stub tells type checkers and editors what the module holds. Made for the wheel only.
if(SKBUILD)
  # An older installed phalanx would be looked at if this folder were no package.
  file(WRITE "${PROJECT_BINARY_DIR}/python/phalanx/__init__.py" "")
  nanobind_add_stub(
    engine_stub
    MODULE phalanx._engine
    OUTPUT "${PROJECT_BINARY_DIR}/_engine.pyi"
    PATTERN_FILE "${PROJECT_SOURCE_DIR}/phalanx/bindings/stub.pat"
    PYTHON_PATH "${PROJECT_BINARY_DIR}/python"
    DEPENDS _engine
  )
  install(FILES "${PROJECT_BINARY_DIR}/_engine.pyi" DESTINATION phalanx)
endif()

# Machine code of single operations, so that their first use waits for no compiler. Some minutes: the
# environment variable PHALANX_SHIP_TARGETS names fewer targets, or none where it is empty.
if(SKBUILD)
  set(
    shipped_targets
    x86-64-v4
    x86-64-v3
    sm_90
    sm_80
    sm_75
  )
  if(DEFINED ENV{PHALANX_SHIP_TARGETS})
    separate_arguments(shipped_targets UNIX_COMMAND "$ENV{PHALANX_SHIP_TARGETS}")
  endif()
  set(shipped_dir "${PROJECT_BINARY_DIR}/shipped")
  set(ship "${PROJECT_SOURCE_DIR}/tools/shipped/ship.py")
  list(JOIN shipped_targets "," shipped_names)
  file(GLOB array_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/phalanx/_arrays/*.py")
  set(shipped_stamp "${shipped_dir}/made.${shipped_names}")
  add_custom_command(
    OUTPUT "${shipped_stamp}"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${shipped_dir}"
    COMMAND
      "${Python_EXECUTABLE}" "${ship}" "${PROJECT_BINARY_DIR}/python/phalanx" "${shipped_dir}"
      --targets ${shipped_targets}
    COMMAND "${CMAKE_COMMAND}" -E touch "${shipped_stamp}"
    DEPENDS _engine "${ship}" "${PROJECT_SOURCE_DIR}/tools/shipped/operations.py" ${array_sources}
    COMMENT "Compiling single operations for ${shipped_names}"
    USES_TERMINAL
    VERBATIM
  )
  add_custom_target(shipped_kernels ALL DEPENDS "${shipped_stamp}")
  install(
    DIRECTORY "${shipped_dir}/"
    DESTINATION phalanx/_shipped
    FILES_MATCHING
    PATTERN "*.kernels"
  )
endif()

# What the module needs beside it: SLEEF under its soname, and libdevice.
set(libs_dir "${PROJECT_BINARY_DIR}/python/phalanx/_libs")
file(MAKE_DIRECTORY "${libs_dir}")
install(FILES "${sleef_file}" DESTINATION phalanx/_libs RENAME "${sleef_soname}")
file(CREATE_LINK "${sleef_file}" "${libs_dir}/${sleef_soname}" SYMBOLIC)
install(FILES "${PHALANX_LIBDEVICE}" DESTINATION phalanx/_libs RENAME libdevice.10.bc)
file(CREATE_LINK "${PHALANX_LIBDEVICE}" "${libs_dir}/libdevice.10.bc" SYMBOLIC)

# The licences of all that the wheel carries ask to travel with it, and it says what it carries.
if(SKBUILD)
  set(parts_dir "${PROJECT_BINARY_DIR}/bundled_parts")
  execute_process(
    COMMAND
      "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/bundled_parts.py" "${parts_dir}"
      "${PROJECT_VERSION}"
    COMMAND_ERROR_IS_FATAL ANY
  )
  install(DIRECTORY "${parts_dir}/" DESTINATION phalanx/_libs FILES_MATCHING PATTERN "LICENSE.*")
  install(FILES "${parts_dir}/phalanx.cdx.json" DESTINATION "${SKBUILD_METADATA_DIR}/sboms")
endif()
