# Sanitizers reach every target, so that no half of an object is checked; a finding ends the program, so that a test fails by it.
if(FRAMEMAP_SANITIZE)
  add_compile_options(-fsanitize=${FRAMEMAP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FRAMEMAP_SANITIZE})
endif()
# libFuzzer is led by what the library itself does, so all of it is built to tell.
if(FRAMEMAP_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "FRAMEMAP_FUZZ wants clang: -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
