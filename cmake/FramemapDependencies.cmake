# Everything comes from the distribution; nothing is fetched.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)

# libdwarf: Debian 12 has 20210528 without a pkg-config file; the 0.x and 2.x line has one.
pkg_check_modules(LIBDWARF QUIET IMPORTED_TARGET libdwarf)
if(LIBDWARF_FOUND)
  add_library(framemap_libdwarf INTERFACE)
  target_link_libraries(framemap_libdwarf INTERFACE PkgConfig::LIBDWARF)
else()
  find_path(LIBDWARF_INCLUDE libdwarf.h PATH_SUFFIXES libdwarf libdwarf-0 libdwarf-2 REQUIRED)
  find_library(LIBDWARF_LIBRARY dwarf REQUIRED)
  add_library(framemap_libdwarf INTERFACE)
  target_include_directories(framemap_libdwarf SYSTEM INTERFACE ${LIBDWARF_INCLUDE})
  target_link_libraries(framemap_libdwarf INTERFACE ${LIBDWARF_LIBRARY} PkgConfig::LIBELF)
endif()

find_path(JSMN_INCLUDE jsmn.h REQUIRED)

include(FramemapDemangler)
