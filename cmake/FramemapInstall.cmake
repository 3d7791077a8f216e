# Installs the library, headers, CMake package, pkg-config file and man page. cli/ installs the command.
include(CMakePackageConfigHelpers)

# Libraries that a program needs in addition to the static library.
list(JOIN framemap_static_words " " framemap_static_text)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/framemap)
foreach(kind shared static)
  if(framemap_has_${kind})
    install(TARGETS framemap_${kind} EXPORT framemap_${kind} DESTINATION ${CMAKE_INSTALL_LIBDIR})
    string(SUBSTRING ${kind} 1 -1 rest)
    string(SUBSTRING ${kind} 0 1 first)
    string(TOUPPER ${first} first)
    install(EXPORT framemap_${kind} FILE framemap${first}${rest}.cmake NAMESPACE framemap:: DESTINATION ${package_folder})
  endif()
endforeach()
install(DIRECTORY include/framemap DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

configure_package_config_file(cmake/framemapConfig.cmake.in ${PROJECT_BINARY_DIR}/framemapConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/framemapConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/framemapConfig.cmake ${PROJECT_BINARY_DIR}/framemapConfigVersion.cmake
  DESTINATION ${package_folder})

# Paths in the pkg-config file are relative to it, so that the installed tree can be moved.
file(RELATIVE_PATH framemap_pc_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# a static library does not contain the libraries that it depends on, so every program needs them
set(framemap_pc_libs "")
if(NOT framemap_has_shared)
  set(framemap_pc_libs " ${framemap_static_text}")
endif()
configure_file(cmake/framemap.pc.in ${PROJECT_BINARY_DIR}/framemap.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/framemap.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(EXISTS ${PROJECT_SOURCE_DIR}/docs/framemap.1)
  install(FILES docs/framemap.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Installed links with the names of other tools, such as addr2line, would hide these tools, so they are optional.
if(FRAMEMAP_INSTALL_FRONTS)
  foreach(front addr2line llvm-symbolizer ndk-stack atos retrace proguard-retrace)
    install(CODE "
      set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
      message(STATUS \"Installing: \${folder}/${front} -> framemap\")
      file(MAKE_DIRECTORY \"\${folder}\")
      file(CREATE_LINK framemap \"\${folder}/${front}\" SYMBOLIC)")
  endforeach()
endif()
