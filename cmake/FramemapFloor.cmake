# Intel's CPUs from Skylake to Cascade Lake decode anew, each time, what has a jump across or at the end of 32 bytes: assemblers can keep jumps from there.
# Without it, where the linker puts a function moves its time by 5 %.
include(CheckCCompilerFlag)
set(branch_boundaries -mbranches-within-32B-boundaries)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  set(branch_boundaries -Wa,${branch_boundaries})
endif()
check_c_compiler_flag(${branch_boundaries} FRAMEMAP_HAS_BRANCH_BOUNDARIES)
if(FRAMEMAP_HAS_BRANCH_BOUNDARIES)
  set(FRAMEMAP_BRANCHES $<$<CONFIG:Release,RelWithDebInfo>:${branch_boundaries}>)
endif()

# framemap_floor(NAME file...): one floor as an object library; the library is made of all of them.
set_property(GLOBAL PROPERTY FRAMEMAP_FLOORS "")
function(framemap_floor name)
  add_library(floor_${name} OBJECT ${ARGN})
  target_include_directories(floor_${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(floor_${name} PRIVATE FRAMEMAP_BUILD _POSIX_C_SOURCE=200809L)
  target_link_libraries(floor_${name} PRIVATE framemap_warnings)
  target_compile_options(floor_${name} PRIVATE ${FRAMEMAP_BRANCHES})
  set_property(GLOBAL APPEND PROPERTY FRAMEMAP_FLOORS ${name})
endfunction()

# framemap_hot(file...): files of a floor of which each instruction counts: those that every lookup runs through. GCC gathers fields that stand side by side
# into vectors to store them at once, from registers one by one: they are waited for. And it clears some hundred bytes by an instruction that is slow to start.
check_c_compiler_flag(-mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign FRAMEMAP_HAS_MEMSET_STRATEGY)
if(FRAMEMAP_HAS_MEMSET_STRATEGY)
  set(FRAMEMAP_CLEARING -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign)
endif()
function(framemap_hot)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS
    "$<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>;${FRAMEMAP_CLEARING};${FRAMEMAP_BRANCHES}")
endfunction()
