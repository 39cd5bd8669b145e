# phalanx_room(NAME): the OBJECT library phalanx_NAME of every .cpp under phalanx/NAME.
include_guard(GLOBAL)
include(Batches)

function(phalanx_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/phalanx/${name}/*.cpp")
  if(NOT sources)
    # A library needs one source; the glob is checked again at each build.
    set(sources "${PROJECT_BINARY_DIR}/empty/${name}.cpp")
    if(NOT EXISTS "${sources}")
      file(WRITE "${sources}" "// The room ${name} has no sources yet.\n")
    endif()
  endif()
  phalanx_batches(sources phalanx_${name} ${sources})
  add_library(phalanx_${name} OBJECT ${sources})
  target_link_libraries(phalanx_${name} PRIVATE phalanx_options phalanx_fmt Threads::Threads)
  target_link_libraries(phalanx_core PRIVATE phalanx_${name})
  # The others stay as all build directories have them: ccache knows them.
  if(NOT PHALANX_SANITIZE_ROOMS OR name IN_LIST PHALANX_SANITIZE_ROOMS)
    phalanx_sanitize(phalanx_${name})
  endif()
endfunction()

# phalanx_room_uses(NAME LIBRARY...): the room, where it is built, sees the library's headers.
function(phalanx_room_uses name)
  if(TARGET phalanx_${name})
    target_link_libraries(phalanx_${name} PRIVATE ${ARGN})
  endif()
endfunction()
