# Toolchain for 32-bit x86.
set(framemap_arch i386)
set(framemap_triple i686-linux-gnu)
set(framemap_libraries i386-linux-gnu)
set(framemap_qemu qemu-i386)
set(framemap_loader lib/ld-linux.so.2) # most 64-bit x86 machines run 32-bit programs
set(CMAKE_SYSTEM_PROCESSOR i686)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
