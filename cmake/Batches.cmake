# With PHALANX_BATCHES, a target's sources are compiled some eight at a time: most of the time of one
# goes to the headers, which all of them include (a build of everything takes half as long).
# Presets for work have it off: an edit compiles one source again there.
include_guard(GLOBAL)

option(PHALANX_BATCHES "Compile the sources of a target several at a time" OFF)
# Files whose names in anonymous namespaces meet those of others, or with options of their own.
set(compiled_alone_file "${CMAKE_CURRENT_LIST_DIR}/compiled_alone.txt")
file(STRINGS "${compiled_alone_file}" compiled_alone REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${compiled_alone_file}")

# phalanx_batches(VARIABLE NAME SOURCES...): sets VARIABLE to what the target NAME compiles.
# A source's batch depends on its path alone, until the number of sources passes a power of two: a new
# source changes one batch. Batches are shared by all build folders, so that ccache shares them too,
# but for builds of some rooms alone, which have other tests in them.
function(phalanx_batches variable name)
  set(${variable} ${ARGN} PARENT_SCOPE)
  if(NOT PHALANX_BATCHES)
    return()
  endif()
  list(LENGTH ARGN sources)
  set(batches 1)
  while(sources GREATER 12)
    math(EXPR sources "${sources} / 2")
    math(EXPR batches "${batches} * 2")
  endwhile()
  set(folder "${PROJECT_SOURCE_DIR}/build/batches")
  if(NOT PHALANX_ROOMS STREQUAL all_rooms)
    string(MD5 rooms "${PHALANX_ROOMS}")
    string(APPEND folder "/${rooms}")
  endif()
  set(compiled)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${source}")
    if(path IN_LIST compiled_alone)
      list(APPEND compiled "${source}")
    else()
      string(MD5 hash "${path}")
      string(SUBSTRING "${hash}" 0 6 hash)
      math(EXPR batch "0x${hash} % ${batches}")
      string(APPEND text_${batch} "#include \"${path}\"\n")
    endif()
  endforeach()
  math(EXPR last "${batches} - 1")
  foreach(batch RANGE ${last})
    if(DEFINED text_${batch})
      set(file "${folder}/${name}_${batch}.cpp")
      file(CONFIGURE OUTPUT "${file}" CONTENT "${text_${batch}}" @ONLY)
      list(APPEND compiled "${file}")
    endif()
  endforeach()
  set(${variable} ${compiled} PARENT_SCOPE)
endfunction()
