# Everything that comes from outside: LLVM, fmt, oneTBB, SLEEF, libdevice.
include_guard(GLOBAL)

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)

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
  OrcTargetProcess
)

# The headers only: rooms that compile against LLVM link this, the final targets link the code.
add_library(phalanx_llvm_headers INTERFACE)
target_include_directories(phalanx_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(phalanx_llvm_headers INTERFACE ${llvm_definitions})

find_library(PHALANX_SLEEF sleef REQUIRED)

# libdevice: from a CUDA toolkit, or from the PyPI package nvidia-nvvm.
set(PHALANX_LIBDEVICE "" CACHE FILEPATH "libdevice.10.bc of the CUDA toolkit")
if(NOT PHALANX_LIBDEVICE)
  file(GLOB toolkits LIST_DIRECTORIES true /usr/local/cuda /usr/local/cuda-*)
  set(places "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}" ${toolkits} /usr/lib/nvidia-cuda-toolkit)
  if(Python_EXECUTABLE)
    execute_process(
      COMMAND "${Python_EXECUTABLE}" -c "import sysconfig; print(sysconfig.get_path('purelib'))"
      OUTPUT_VARIABLE purelib
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    file(GLOB wheels LIST_DIRECTORIES true "${purelib}/nvidia/*")
    list(APPEND places ${wheels})
  endif()
  foreach(place IN LISTS places)
    foreach(folder IN ITEMS nvvm/libdevice libdevice)
      if(NOT PHALANX_LIBDEVICE AND place AND EXISTS "${place}/${folder}/libdevice.10.bc")
        set(PHALANX_LIBDEVICE "${place}/${folder}/libdevice.10.bc" CACHE FILEPATH "" FORCE)
      endif()
    endforeach()
  endforeach()
endif()
if(NOT EXISTS "${PHALANX_LIBDEVICE}")
  message(
    FATAL_ERROR
    "libdevice.10.bc not found. Install a CUDA toolkit, or the package that holds it into the "
    "Python that builds (pip install nvidia-nvvm), or give its place with -DPHALANX_LIBDEVICE=FILE."
  )
endif()
message(STATUS "libdevice: ${PHALANX_LIBDEVICE}")
