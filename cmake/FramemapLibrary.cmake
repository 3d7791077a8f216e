# The floors as one library, shared and static, and a third form for tests that sees the inner functions.
get_property(floors GLOBAL PROPERTY FRAMEMAP_FLOORS)
set(objects "")
foreach(floor IN LISTS floors)
  list(APPEND objects $<TARGET_OBJECTS:floor_${floor}>)
endforeach()

set(framemap_private_libraries framemap_libdwarf PkgConfig::LIBELF PkgConfig::ZSTD ZLIB::ZLIB Threads::Threads ${FRAMEMAP_DEMANGLER_LIBRARIES})

add_library(framemap_static STATIC ${objects})
set_target_properties(framemap_static PROPERTIES OUTPUT_NAME framemap)
add_library(framemap_shared SHARED ${objects})
set_target_properties(framemap_shared PROPERTIES OUTPUT_NAME framemap VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
foreach(target framemap_static framemap_shared)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE ${framemap_private_libraries})
endforeach()
