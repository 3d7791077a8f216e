# The floors as one library, shared and static. Tests link the static one, which lets them see the inner functions.
get_property(floors GLOBAL PROPERTY FRAMEMAP_FLOORS)
set(objects "")
foreach(floor IN LISTS floors)
  list(APPEND objects $<TARGET_OBJECTS:floor_${floor}>)
endforeach()

set(framemap_private_libraries
  framemap_libdwarf PkgConfig::LIBELF PkgConfig::DEFLATE PkgConfig::ZSTD PkgConfig::PCRE2 ZLIB::ZLIB Threads::Threads)

add_library(framemap_static STATIC ${objects} ${FRAMEMAP_DEMANGLER_OBJECTS})
set_target_properties(framemap_static PROPERTIES EXPORT_NAME static)
add_library(framemap_shared SHARED ${objects} ${FRAMEMAP_DEMANGLER_OBJECTS})
set_target_properties(framemap_shared PROPERTIES EXPORT_NAME framemap VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

foreach(target framemap_static framemap_shared)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME framemap)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Only for builds inside this tree: an installed static library names what it needs in framemapConfig.cmake.
  target_link_libraries(${target} PRIVATE "$<BUILD_INTERFACE:${framemap_private_libraries}>")
endforeach()

# The map hides what visibility can't: symbols that come out of static archives of others.
set(framemap_map ${PROJECT_SOURCE_DIR}/cmake/framemap.map)
target_link_options(framemap_shared PRIVATE -Wl,--version-script=${framemap_map} -Wl,--exclude-libs,ALL)
set_property(TARGET framemap_shared APPEND PROPERTY LINK_DEPENDS ${framemap_map})
if(NOT FRAMEMAP_SANITIZE)
  target_link_options(framemap_shared PRIVATE -Wl,--no-undefined)
endif()
