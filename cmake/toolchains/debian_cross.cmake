# Shared by the toolchain files of this folder: Debian's cross compiler, a sysroot made by scripts/make-sysroot, and
# qemu to run tests.
#
# The including file sets framemap_arch (as dpkg names it), framemap_triple (prefix of the cross tools),
# framemap_libraries (name of the folders with the target's libraries), framemap_qemu and CMAKE_SYSTEM_PROCESSOR. If
# some machines with another CPU can run the target's programs, it also sets framemap_loader, the path of the dynamic
# loader in the sysroot. FRAMEMAP_SYSROOT overrides the path of the sysroot.
set(CMAKE_SYSTEM_NAME Linux)
if(NOT FRAMEMAP_SYSROOT)
  get_filename_component(FRAMEMAP_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot/${framemap_arch} ABSOLUTE)
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FRAMEMAP_SYSROOT)

set(CMAKE_SYSROOT ${FRAMEMAP_SYSROOT})
set(CMAKE_C_COMPILER ${framemap_triple}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${framemap_libraries})
set(CMAKE_FIND_ROOT_PATH ${FRAMEMAP_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${FRAMEMAP_SYSROOT}/usr/lib/${framemap_libraries}/pkgconfig:${FRAMEMAP_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${FRAMEMAP_SYSROOT})

# If this machine can run the target's programs, they get the loader and the libraries of the sysroot, and no emulator.
# The path of the libraries has the old tag (DT_RPATH), because the new one does not apply to libraries of libraries.
set(framemap_runs 1)
if(framemap_loader)
  execute_process(COMMAND ${FRAMEMAP_SYSROOT}/${framemap_loader} --version RESULT_VARIABLE framemap_runs OUTPUT_QUIET ERROR_QUIET)
endif()
if(framemap_runs EQUAL 0)
  set(framemap_paths ${FRAMEMAP_SYSROOT}/lib/${framemap_libraries}:${FRAMEMAP_SYSROOT}/usr/lib/${framemap_libraries})
  set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--dynamic-linker=${FRAMEMAP_SYSROOT}/${framemap_loader} -Wl,--disable-new-dtags,-rpath,${framemap_paths}")
  return()
endif()

find_program(FRAMEMAP_QEMU NAMES ${framemap_qemu} ${framemap_qemu}-static)
if(FRAMEMAP_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${FRAMEMAP_QEMU} -L ${FRAMEMAP_SYSROOT})
endif()
