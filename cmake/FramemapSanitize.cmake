# Sanitizers reach every target, so that no half of an object is checked; a finding ends the program, so that a test fails by it.
if(FRAMEMAP_SANITIZE)
  add_compile_options(-fsanitize=${FRAMEMAP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FRAMEMAP_SANITIZE})
endif()
