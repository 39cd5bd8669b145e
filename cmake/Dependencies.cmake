# Everything that comes from outside: LLVM, fmt, SLEEF, Highway, PCRE2, libdevice.
include_guard(GLOBAL)

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
# Its headers only: phalanx/base/fmt_library.cpp compiles the rest.
add_library(phalanx_fmt INTERFACE)
get_target_property(fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(phalanx_fmt SYSTEM INTERFACE ${fmt_include})

# zlib and zstd go into the module: LLVMConfig.cmake takes the targets that exist already.
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)
find_library(PHALANX_ZSTD_STATIC libzstd.a REQUIRED)

find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
if(NOT LLVM_PACKAGE_VERSION MATCHES "^19\\.")
  message(FATAL_ERROR "LLVM 19 is needed, found ${LLVM_PACKAGE_VERSION}")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

get_target_property(support_needs LLVMSupport INTERFACE_LINK_LIBRARIES)
list(TRANSFORM support_needs REPLACE "^zstd::.*" "${PHALANX_ZSTD_STATIC}")
list(FILTER support_needs EXCLUDE REGEX "z3|Z3")
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${support_needs}")

# X86 for the CPU, NVPTX for the GPU; no other target, no assembler text parser.
llvm_map_components_to_libnames(
  llvm_libraries
  Core
  Support
  TargetParser
  Analysis
  BitReader
  BitWriter
  IRReader
  Linker
  Passes
  Coroutines
  InstCombine
  ScalarOpts
  Vectorize
  TransformUtils
  ipo
  MC
  MCDisassembler
  X86Disassembler
  Object
  Target
  CodeGen
  X86CodeGen
  X86Desc
  X86Info
  NVPTXCodeGen
  NVPTXDesc
  NVPTXInfo
  ExecutionEngine
  JITLink
  OrcJIT
  OrcDebugging
  DebugInfoDWARF
  OrcTargetProcess
)

# The headers only: rooms that compile against LLVM link this, the final targets link the code.
add_library(phalanx_llvm_headers INTERFACE)
target_include_directories(phalanx_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(phalanx_llvm_headers INTERFACE ${llvm_definitions})

# SLEEF goes beside the module under its soname.
find_library(PHALANX_SLEEF sleef REQUIRED)
get_filename_component(sleef_file "${PHALANX_SLEEF}" REALPATH)
execute_process(
  COMMAND "${CMAKE_OBJDUMP}" -p "${sleef_file}"
  OUTPUT_VARIABLE header
  COMMAND_ERROR_IS_FATAL ANY
)
if(NOT header MATCHES "SONAME +([^ \n]+)")
  message(FATAL_ERROR "${sleef_file} has no soname")
endif()
set(sleef_soname "${CMAKE_MATCH_1}")

# Highway: its headers only, and of those vqsort's.
find_path(PHALANX_HIGHWAY hwy/contrib/sort/vqsort-inl.h REQUIRED)
add_library(phalanx_highway INTERFACE)
target_include_directories(phalanx_highway SYSTEM INTERFACE "${PHALANX_HIGHWAY}")

# PCRE2, regular expressions over columns of text: it goes into the module.
find_library(PHALANX_PCRE2_STATIC libpcre2-8.a REQUIRED)
find_path(PHALANX_PCRE2_HEADERS pcre2.h REQUIRED)
add_library(phalanx_pcre2_headers INTERFACE)
target_include_directories(phalanx_pcre2_headers SYSTEM INTERFACE "${PHALANX_PCRE2_HEADERS}")

# libdevice, the math functions of GPUs: from the PyPI package nvidia-nvvm, licence and all.
set(PHALANX_LIBDEVICE "" CACHE FILEPATH "libdevice.10.bc of the PyPI package nvidia-nvvm")
if(NOT PHALANX_LIBDEVICE AND Python_EXECUTABLE)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -c "import sysconfig; print(sysconfig.get_path('purelib'))"
    OUTPUT_VARIABLE purelib
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  file(GLOB found "${purelib}/nvidia/*/nvvm/libdevice/libdevice.10.bc")
  list(POP_FRONT found first)
  set(PHALANX_LIBDEVICE "${first}" CACHE FILEPATH "" FORCE)
endif()
if(NOT EXISTS "${PHALANX_LIBDEVICE}")
  message(
    FATAL_ERROR
    "libdevice.10.bc not found. Install the package that holds it into the Python that builds "
    "(pip install 'nvidia-nvvm==13.0.*'), or give its place with -DPHALANX_LIBDEVICE=FILE."
  )
endif()
message(STATUS "libdevice: ${PHALANX_LIBDEVICE}")
