# Hardening of release builds, since the library reads untrusted files and texts. Each flag is used if the compiler and
# linker support it.
# Builds with sanitizers have their own checks, and FORTIFY needs optimization.
option(FRAMEMAP_HARDEN "Build Release and RelWithDebInfo with stack protector, FORTIFY, RELRO, PIE, CET or BTI" ON)
if(NOT FRAMEMAP_HARDEN OR FRAMEMAP_SANITIZE)
  return()
endif()

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
set(optimised $<CONFIG:Release,RelWithDebInfo>)

# framemap_harden(NAME FLAG): adds FLAG for C files of optimized builds, if the compiler supports it.
function(framemap_harden name flag)
  check_c_compiler_flag("${flag};-Werror" FRAMEMAP_HAS_${name})
  if(FRAMEMAP_HAS_${name})
    add_compile_options("$<${optimised}:${flag}>")
  endif()
endfunction()

framemap_harden(STACK_PROTECTOR -fstack-protector-strong)
framemap_harden(STACK_CLASH -fstack-clash-protection)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64|i[3-6]86)$")
  framemap_harden(CET -fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  framemap_harden(BTI -mbranch-protection=standard)
endif()
# -U is needed because the compilers of some distributions define _FORTIFY_SOURCE by default, with another level.
add_compile_options("$<${optimised}:-U_FORTIFY_SOURCE>" "$<${optimised}:-D_FORTIFY_SOURCE=2>")

foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  string(MAKE_C_IDENTIFIER "FRAMEMAP_HAS_${flag}" known)
  check_linker_flag(C "${flag}" ${known})
  if(${known})
    add_link_options("$<${optimised}:${flag}>")
  endif()
endforeach()
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
