# What find_package(phalanx) reads: it makes the target phalanx::phalanx.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/phalanxTargets.cmake")
