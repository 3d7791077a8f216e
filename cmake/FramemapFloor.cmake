# Intel's CPUs from Skylake to Cascade Lake do not cache decoded instructions of a 32-byte block with a jump across or
# at its end (JCC erratum); assemblers can align jumps to avoid this. Without it, the time of a function varies by 5 %
# with its address.
include(CheckCCompilerFlag)
set(branch_boundaries -mbranches-within-32B-boundaries)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  set(branch_boundaries -Wa,${branch_boundaries})
endif()
check_c_compiler_flag(${branch_boundaries} FRAMEMAP_HAS_BRANCH_BOUNDARIES)
if(FRAMEMAP_HAS_BRANCH_BOUNDARIES)
  set(FRAMEMAP_BRANCHES $<$<CONFIG:Release,RelWithDebInfo>:${branch_boundaries}>)
endif()

# framemap_floor(NAME file...): adds a floor, one of the top-level folders of code, as an object library; libframemap
# consists of all floors.
set_property(GLOBAL PROPERTY FRAMEMAP_FLOORS "")
function(framemap_floor name)
  add_library(floor_${name} OBJECT ${ARGN})
  target_include_directories(floor_${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(floor_${name} PRIVATE FRAMEMAP_BUILD _POSIX_C_SOURCE=200809L)
  target_link_libraries(floor_${name} PRIVATE framemap_warnings)
  target_compile_options(floor_${name} PRIVATE ${FRAMEMAP_BRANCHES})
  set_property(GLOBAL APPEND PROPERTY FRAMEMAP_FLOORS ${name})
endfunction()

# framemap_hot(file...): sets options for the files that every lookup executes. They turn off GCC's vectorization of
# stores to adjacent fields, which assembles a vector from single registers and stalls, and its use of an instruction
# with a slow start (rep stos) for clearing a few hundred bytes.
check_c_compiler_flag(-mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign FRAMEMAP_HAS_MEMSET_STRATEGY)
if(FRAMEMAP_HAS_MEMSET_STRATEGY)
  set(FRAMEMAP_CLEARING -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign)
endif()
function(framemap_hot)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS
    "$<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>;${FRAMEMAP_CLEARING};${FRAMEMAP_BRANCHES}")
endfunction()
