# framemap_floor(NAME file...): one floor as an object library; the library is made of all of them.
set_property(GLOBAL PROPERTY FRAMEMAP_FLOORS "")
function(framemap_floor name)
  add_library(floor_${name} OBJECT ${ARGN})
  target_include_directories(floor_${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(floor_${name} PRIVATE FRAMEMAP_BUILD _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
  target_link_libraries(floor_${name} PRIVATE framemap_warnings)
  set_property(GLOBAL APPEND PROPERTY FRAMEMAP_FLOORS ${name})
endfunction()
