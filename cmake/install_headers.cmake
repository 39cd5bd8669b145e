# Run when the component cpp is installed, by cmake/Install.cmake: copies `public_headers` of
# phalanx/ in `source_dir`, and what they include of it.
cmake_policy(VERSION 3.25)
set(waiting ${public_headers})
set(found)
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST found)
    continue()
  endif()
  list(APPEND found "${header}")
  file(STRINGS "${source_dir}/phalanx/${header}" includes REGEX "^#include \"phalanx/")
  list(TRANSFORM includes REPLACE "^#include \"phalanx/(.*)\".*" "\\1")
  list(APPEND waiting ${includes})
endwhile()

foreach(header IN LISTS found)
  get_filename_component(room "${header}" DIRECTORY)
  file(
    INSTALL "${source_dir}/phalanx/${header}"
    DESTINATION "${CMAKE_INSTALL_PREFIX}/include/phalanx/${room}"
  )
endforeach()
