# Hardening for what is released: the library reads files and texts of strangers. Each flag is used where the compiler and linker know it.
# Builds with sanitizers have their own checks, and builds without optimisation can't have FORTIFY.
option(FRAMEMAP_HARDEN "Build Release and RelWithDebInfo with stack protector, FORTIFY, RELRO, PIE, CET or BTI" ON)
if(NOT FRAMEMAP_HARDEN OR FRAMEMAP_SANITIZE)
  return()
endif()

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
set(optimised $<CONFIG:Release,RelWithDebInfo>)

# framemap_harden(NAME FLAG): FLAG for each C file of optimised builds, if the compiler takes it.
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
# Some distributions' compilers define it by themselves, at another level.
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
