# Combines the floors into a shared and a static library. BUILD_SHARED_LIBS, if set, selects one of them; a project that
# includes this one as a sub-folder always gets only one of them. framemap::framemap is the shared library if that is
# built. Tests link the static library, to call internal functions.
set(framemap_has_static ON)
set(framemap_has_shared ON)
if(DEFINED BUILD_SHARED_LIBS OR NOT PROJECT_IS_TOP_LEVEL)
  if(BUILD_SHARED_LIBS)
    set(framemap_has_static OFF)
  else()
    set(framemap_has_shared OFF)
  endif()
endif()

get_property(floors GLOBAL PROPERTY FRAMEMAP_FLOORS)
set(objects "")
foreach(floor IN LISTS floors)
  list(APPEND objects $<TARGET_OBJECTS:floor_${floor}>)
endforeach()

# Before 1.0 the interface may change with each minor version, so the minor version is part of the soname and of the
# symbol version.
set(framemap_abi ${PROJECT_VERSION_MAJOR})
if(framemap_abi EQUAL 0)
  set(framemap_abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()

function(framemap_library target)
  add_library(${target} ${ARGN} ${objects} ${FRAMEMAP_DEMANGLER_OBJECTS})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME framemap)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # BUILD_INTERFACE limits the list to builds inside this tree: for an installed static library, framemapConfig.cmake
  # names the libraries that a program needs.
  target_link_libraries(${target} PRIVATE "$<BUILD_INTERFACE:${framemap_private_libraries}>")
endfunction()

framemap_library(framemap_static STATIC)
set_target_properties(framemap_static PROPERTIES EXPORT_NAME static)
if(framemap_has_static)
  add_library(framemap::static ALIAS framemap_static)
else()
  set_target_properties(framemap_static PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

if(NOT framemap_has_shared)
  add_library(framemap::framemap ALIAS framemap_static)
  return()
endif()
framemap_library(framemap_shared SHARED)
add_library(framemap::framemap ALIAS framemap_shared)
set_target_properties(framemap_shared PROPERTIES EXPORT_NAME framemap VERSION ${PROJECT_VERSION} SOVERSION ${framemap_abi})

# The version script hides symbols from third-party static archives, which visibility options do not affect. Only ELF
# linkers support it.
if(NOT elf_system)
  return()
endif()
set(framemap_map ${PROJECT_BINARY_DIR}/framemap.map)
configure_file(cmake/framemap.map.in ${framemap_map} @ONLY)
target_link_options(framemap_shared PRIVATE -Wl,--version-script=${framemap_map} -Wl,--exclude-libs,ALL)
set_property(TARGET framemap_shared APPEND PROPERTY LINK_DEPENDS ${framemap_map})
if(NOT FRAMEMAP_SANITIZE)
  target_link_options(framemap_shared PRIVATE -Wl,--no-undefined)
endif()
