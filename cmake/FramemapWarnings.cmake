# One set of warnings for gcc and clang, on every target of ours.
add_library(framemap_warnings INTERFACE)
target_compile_options(framemap_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wformat=2 -Wwrite-strings)
if(FRAMEMAP_WERROR)
  target_compile_options(framemap_warnings INTERFACE -Werror)
endif()
