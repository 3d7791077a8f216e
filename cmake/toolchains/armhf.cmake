# Toolchain for 32-bit ARM (ARMv7 with hardware floating point).
set(framemap_arch armhf)
set(framemap_triple arm-linux-gnueabihf)
set(framemap_libraries arm-linux-gnueabihf)
set(framemap_qemu qemu-arm)
set(CMAKE_SYSTEM_PROCESSOR arm)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
