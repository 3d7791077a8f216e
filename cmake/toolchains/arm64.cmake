# Toolchain for 64-bit ARM.
set(framemap_arch arm64)
set(framemap_triple aarch64-linux-gnu)
set(framemap_libraries aarch64-linux-gnu)
set(framemap_qemu qemu-aarch64)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
