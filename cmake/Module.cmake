# The extension module phalanx._engine, in nanobind's split mode: one binary for Python 3.11 and newer.
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
set(strip_option NOSTRIP)
if(PHALANX_STRIP)
  set(strip_option)
endif()
nanobind_add_module(
  _engine
  BACKEND_MODULE nanobind_backend
  BACKEND_PYPI nanobind-backend
  STABLE_ABI_VERSION 3.11
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
    $<$<BOOL:${PHALANX_LLD}>:LINKER:--icf=all>
    $<$<BOOL:${PHALANX_LLD}>:LINKER:-O2>
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

# What the module needs beside it: shared libraries under their sonames, and libdevice.
set(bundled_libraries)
get_target_property(tbb_file TBB::tbb IMPORTED_LOCATION_RELEASE)
if(NOT tbb_file)
  get_target_property(tbb_file TBB::tbb IMPORTED_LOCATION_NONE)
endif()
get_target_property(fmt_file fmt::fmt IMPORTED_LOCATION_NONE)
if(NOT fmt_file)
  get_target_property(fmt_file fmt::fmt IMPORTED_LOCATION_RELEASE)
endif()
set(libs_dir "${PROJECT_BINARY_DIR}/python/phalanx/_libs")
file(MAKE_DIRECTORY "${libs_dir}")
foreach(library IN ITEMS "${tbb_file}" "${fmt_file}" "${PHALANX_SLEEF}")
  get_filename_component(real "${library}" REALPATH)
  execute_process(
    COMMAND "${CMAKE_OBJDUMP}" -p "${real}"
    OUTPUT_VARIABLE header
    COMMAND_ERROR_IS_FATAL ANY
  )
  if(NOT header MATCHES "SONAME +([^ \n]+)")
    message(FATAL_ERROR "${real} has no soname")
  endif()
  set(soname "${CMAKE_MATCH_1}")
  install(FILES "${real}" DESTINATION phalanx/_libs RENAME "${soname}")
  file(CREATE_LINK "${real}" "${libs_dir}/${soname}" SYMBOLIC)
endforeach()
install(FILES "${PHALANX_LIBDEVICE}" DESTINATION phalanx/_libs RENAME libdevice.10.bc)
file(CREATE_LINK "${PHALANX_LIBDEVICE}" "${libs_dir}/libdevice.10.bc" SYMBOLIC)

# Their licences ask to travel with them.
foreach(package IN ITEMS libtbb12 libfmt9 libsleef3 llvm-19-dev)
  set(copyright "/usr/share/doc/${package}/copyright")
  if(EXISTS "${copyright}")
    install(FILES "${copyright}" DESTINATION phalanx/_libs RENAME "LICENSE.${package}.txt")
  endif()
endforeach()
