# The engine for C++ programs: a shared library, its headers, and what find_package(phalanx) reads.
#   cmake --build build/NAME --target phalanx
#   cmake --install build/NAME --component cpp --prefix PREFIX
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

# The headers that programs include; cmake/install_headers.cmake adds what these include.
set(
  public_headers
  arrays/operations.h
  base/build_id.h
  base/errors.h
  frontend/cuda_c.h
  infer/ufuncs.h
  ir/build_calls.h
  ir/build_memory.h
  ir/build_threads.h
  ir/builder.h
  ir/idioms.h
  ir/parser.h
  ir/printer.h
  ir/verifier.h
  jit/context.h
  jit/dispatch.h
  jit/from_cpp.h
  jit/kernel.h
  numpy/broadcast.h
  numpy/elementwise_kernel.h
  numpy/promotion.h
  numpy/reduction_kernel.h
  numpy/ufuncs.h
  runtime/memory_resource.h
  views/copier.h
  views/device_array.h
)

# What these need of the rooms: no front end but the way to that for CUDA C, a library of its own.
set(objects $<TARGET_OBJECTS:phalanx_build_id>)
foreach(
  room
  IN
  ITEMS base ir infer numpy passes codegen runtime views libs jit arrays
)
  list(APPEND objects $<TARGET_OBJECTS:phalanx_${room}>)
endforeach()
add_library(
  phalanx
  SHARED
  EXCLUDE_FROM_ALL
  ${objects}
  "${PROJECT_SOURCE_DIR}/phalanx/frontend/cuda_c/library.cpp"
  "${PROJECT_SOURCE_DIR}/phalanx/frontend/cuda_c/source_lines.cpp"
)
add_library(phalanx::phalanx ALIAS phalanx)
set_target_properties(
  phalanx
  PROPERTIES
    VERSION "${PROJECT_VERSION}"
    # Before 1.0 each minor version may change what programs see.
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
    LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/phalanx.version"
)
target_compile_features(phalanx INTERFACE cxx_std_20)
target_include_directories(phalanx INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
target_link_libraries(
  phalanx
  PUBLIC Threads::Threads
  PRIVATE phalanx_options phalanx_fmt ${llvm_libraries} ${CMAKE_DL_LIBS}
)
target_link_options(
  phalanx
  PRIVATE
    "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/phalanx.version"
    LINKER:--gc-sections
    LINKER:--as-needed
    LINKER:-z,defs
)

set(package lib/cmake/phalanx)
set(when COMPONENT cpp EXCLUDE_FROM_ALL)
install(TARGETS phalanx EXPORT phalanx LIBRARY DESTINATION lib ${when} INCLUDES DESTINATION include)
install(EXPORT phalanx NAMESPACE phalanx:: FILE phalanxTargets.cmake DESTINATION ${package} ${when})
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/phalanxConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion
)
install(
  FILES
    "${PROJECT_SOURCE_DIR}/cmake/phalanxConfig.cmake"
    "${PROJECT_BINARY_DIR}/phalanxConfigVersion.cmake"
  DESTINATION ${package}
  ${when}
)
install(
  CODE "set(source_dir [[${PROJECT_SOURCE_DIR}]])\nset(public_headers [[${public_headers}]])"
  ${when}
)
install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake" ${when})
if(TARGET phalanx_cudac)
  add_dependencies(phalanx phalanx_cudac)
  install(TARGETS phalanx_cudac LIBRARY DESTINATION lib ${when})
endif()
# The library looks for them in _libs/ beside itself, as the module does.
install(FILES "${sleef_file}" DESTINATION lib/_libs RENAME "${sleef_soname}" ${when})
install(FILES "${PHALANX_LIBDEVICE}" DESTINATION lib/_libs RENAME libdevice.10.bc ${when})
