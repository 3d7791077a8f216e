# Toolchain for IBM Z, which is 64-bit and big-endian.
set(framemap_arch s390x)
set(framemap_triple s390x-linux-gnu)
set(framemap_libraries s390x-linux-gnu)
set(framemap_qemu qemu-s390x)
set(CMAKE_SYSTEM_PROCESSOR s390x)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
