# Shared by the toolchain files of this folder: Debian's cross compiler, a sysroot made by scripts/make-sysroot, and
# qemu to run tests.
#
# The including file sets framemap_arch (as dpkg names it), framemap_triple (prefix of the cross tools),
# framemap_libraries (name of the folders with the target's libraries), framemap_qemu and CMAKE_SYSTEM_PROCESSOR.
# FRAMEMAP_SYSROOT overrides the path of the sysroot.
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

find_program(FRAMEMAP_QEMU NAMES ${framemap_qemu} ${framemap_qemu}-static)
if(FRAMEMAP_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${FRAMEMAP_QEMU} -L ${FRAMEMAP_SYSROOT})
endif()
