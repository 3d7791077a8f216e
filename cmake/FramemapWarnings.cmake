# Sets the options of every target: one set of warnings for gcc and clang, the macros of the enabled parts, and support
# for files of more than 2 GB on 32-bit machines.
add_library(framemap_warnings INTERFACE)
target_compile_options(framemap_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wno-psabi -Wvla -Wundef -Wcast-qual -Wformat=2 -Wwrite-strings)
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12)
  # gcc 11 falsely reports missing members in designated initializers that contain calls with compound literals.
  target_compile_options(framemap_warnings INTERFACE -Wno-missing-field-initializers)
endif()
if(FRAMEMAP_WERROR)
  target_compile_options(framemap_warnings INTERFACE -Werror)
endif()
target_compile_definitions(framemap_warnings INTERFACE _FILE_OFFSET_BITS=64)
if(APPLE) # without this macro, Apple's headers declare only functions of POSIX
  target_compile_definitions(framemap_warnings INTERFACE _DARWIN_C_SOURCE)
endif()
foreach(part THREADS WITH_LIBDWARF WITH_XZ WITH_DEMANGLERS)
  if(FRAMEMAP_${part})
    target_compile_definitions(framemap_warnings INTERFACE FRAMEMAP_${part})
  endif()
endforeach()
