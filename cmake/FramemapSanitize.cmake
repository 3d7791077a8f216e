# Applies sanitizers to every target, so that all code is checked; a finding ends the program, so that its test fails.
if(FRAMEMAP_SANITIZE)
  add_compile_options(-fsanitize=${FRAMEMAP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FRAMEMAP_SANITIZE})
  # Hundreds of test programs contain the sanitizers' runtime. GNU ld takes three times as long to link them as lld or
  # gold.
  include(CheckLinkerFlag)
  foreach(linker lld gold)
    check_linker_flag(C -fuse-ld=${linker} FRAMEMAP_HAS_LINKER_${linker})
    if(FRAMEMAP_HAS_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()
# libFuzzer needs coverage of the library, so all of it is instrumented.
if(FRAMEMAP_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "FRAMEMAP_FUZZ wants clang: -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
