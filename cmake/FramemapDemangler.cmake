# Extracts the demanglers of LLVM from libc++abi.a and of GNU from libiberty.a, each into one object file for the
# library.
#
# The archive members are joined (ld -r), their calls for memory and abort are renamed to functions of
# resolve/demangle/demangle_limits.c, and all symbols except the entry points are made local. Thus hostile names cannot
# exceed framemap's limits, users of the library do not need the archives, and no symbol clashes with those of a program
# that links them too. docs/demangling.md gives the reasons.
#
# Sets FRAMEMAP_DEMANGLER_OBJECTS (object files for the library) and FRAMEMAP_LLVM_DEMANGLER (ON, or OFF: LLVM's style
# prints GNU's text).

# Debian and Ubuntu have a folder for each version: use the newest.
file(GLOB libcxxabi_candidates ${CMAKE_SYSROOT}/usr/lib/llvm-*/lib/libc++abi.a)
list(SORT libcxxabi_candidates COMPARE NATURAL ORDER DESCENDING)
if(libcxxabi_candidates)
  list(GET libcxxabi_candidates 0 libcxxabi_newest)
  set(LIBCXXABI_ARCHIVE ${libcxxabi_newest} CACHE FILEPATH "libc++abi.a, for names as LLVM's tools print them")
else()
  find_library(LIBCXXABI_ARCHIVE libc++abi.a)
endif()

set(FRAMEMAP_DEMANGLER_DIR ${PROJECT_BINARY_DIR}/demangler)
file(MAKE_DIRECTORY ${FRAMEMAP_DEMANGLER_DIR})

# Functions that the demanglers call, and their replacements (objcopy requires distinct names for the replacements).
set(sized_delete _ZdlPvm)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
  set(sized_delete _ZdlPvj) # on 32-bit targets, size_t is unsigned int
endif()
file(WRITE ${FRAMEMAP_DEMANGLER_DIR}/renames
"__cxa_demangle fm_vendor_cxa_demangle
cplus_demangle_v3_callback fm_vendor_v3_demangle
rust_demangle_callback fm_vendor_rust_demangle
malloc fm_vendor_malloc
realloc fm_vendor_realloc
free fm_vendor_free
abort fm_vendor_abort
abort_message fm_vendor_message
__abort_message fm_vendor_message_inner
_ZSt9terminatev fm_vendor_terminate
_ZdlPv fm_vendor_delete
${sized_delete} fm_vendor_delete_sized
_ZNSt3__122__libcpp_verbose_abortEPKcz fm_vendor_verbose
__cxa_begin_catch fm_vendor_catch
__cxa_pure_virtual fm_vendor_pure
__gxx_personality_v0 fm_vendor_personality
_Unwind_Resume fm_vendor_unwind
__cxa_end_cleanup fm_vendor_end_cleanup
_ZTVN10__cxxabiv117__class_type_infoE fm_vendor_typeinfo
_ZTVN10__cxxabiv120__si_class_type_infoE fm_vendor_typeinfo_si
_ZTVN10__cxxabiv121__vmi_class_type_infoE fm_vendor_typeinfo_vmi
_sch_istable fm_vendor_ctype
")
# A pattern for the names of all other functions that the demanglers may call: functions of the C library or of the
# compiler's runtime (such as division on CPUs without an instruction for it).
set(framemap_demangler_may_need
  "^(fm_vendor_[a-z_]+|mem[a-z]+|bcmp|str[a-z]+|v?s?n?printf|__v?sn?printf_chk|__mem[a-z]+_chk|__stack_chk_[a-z_]+|__ctype_[a-z_]+|is[a-z]+|_GLOBAL_OFFSET_TABLE_|__aeabi_[a-z0-9_]+|__u?(div|mod)[a-z]*[0-9])$")
if(FRAMEMAP_FUZZ) # demanglers that scripts/build-demanglers made call functions of the sanitizers
  string(REGEX REPLACE "\\)\\$$" "|__(asan|ubsan|sanitizer|sancov|start|stop)_[a-z0-9_]+)$"
         framemap_demangler_may_need "${framemap_demangler_may_need}")
endif()

# framemap_vendor_object(NAME RESULT KEEP... : ARCHIVE MEMBER...) creates NAME.o; RESULT is FALSE on failure.
function(framemap_vendor_object name result archive members keep)
  set(dir ${FRAMEMAP_DEMANGLER_DIR}/${name})
  file(REMOVE_RECURSE ${dir})
  file(MAKE_DIRECTORY ${dir})
  set(object ${FRAMEMAP_DEMANGLER_DIR}/${name}.o)
  set(keeps "")
  foreach(symbol IN LISTS keep)
    list(APPEND keeps --keep-global-symbol=${symbol})
  endforeach()
  set(${result} FALSE PARENT_SCOPE)
  execute_process(COMMAND ${CMAKE_AR} x ${archive} ${members} WORKING_DIRECTORY ${dir} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    # Section groups are dissolved: if a program had the same group, its linker would discard the copy in this object,
    # although local symbols refer to that copy.
    foreach(groups --force-group-allocation "") # older versions of lld do not know the option
      execute_process(COMMAND ${CMAKE_LINKER} -r ${groups} -o joined.o ${members} WORKING_DIRECTORY ${dir} RESULT_VARIABLE failed ERROR_QUIET)
      if(NOT failed)
        break()
      endif()
    endforeach()
  endif()
  if(NOT failed)
    execute_process(COMMAND ${CMAKE_OBJCOPY} --strip-debug --redefine-syms=../renames joined.o renamed.o WORKING_DIRECTORY ${dir}
                    RESULT_VARIABLE failed ERROR_QUIET)
  endif()
  if(NOT failed)
    execute_process(COMMAND ${CMAKE_OBJCOPY} ${keeps} renamed.o ${object} WORKING_DIRECTORY ${dir} RESULT_VARIABLE failed ERROR_QUIET)
  endif()
  if(NOT failed)
    execute_process(COMMAND ${CMAKE_NM} -u ${object} OUTPUT_VARIABLE wanted RESULT_VARIABLE failed ERROR_QUIET)
  endif()
  if(failed)
    return()
  endif()
  string(REGEX MATCHALL "[^ \n]+\n" wanted "${wanted}")
  foreach(symbol IN LISTS wanted)
    string(STRIP "${symbol}" symbol)
    if(NOT symbol MATCHES "${framemap_demangler_may_need}")
      message(STATUS "Demangler ${name}: ${archive} needs ${symbol}, which is not known here")
      return()
    endif()
  endforeach()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

# The licence of cp-demangle.o and of rust-demangle.o has the exception that lets any program link them
# (THIRD_PARTY.md). The licence of safe-ctype.o, the character table that rust-demangle.o uses, lacks the exception:
# resolve/demangle/demangle_ctype.c replaces that file.
framemap_vendor_object(gnu framemap_gnu_ok ${LIBIBERTY_ARCHIVE} "cp-demangle.o;rust-demangle.o"
                       "fm_vendor_v3_demangle;fm_vendor_rust_demangle")
if(NOT framemap_gnu_ok)
  message(FATAL_ERROR "No demangler could be taken out of ${LIBIBERTY_ARCHIVE}")
endif()
set(FRAMEMAP_DEMANGLER_OBJECTS ${FRAMEMAP_DEMANGLER_DIR}/gnu.o)

set(FRAMEMAP_LLVM_DEMANGLER OFF)
if(LIBCXXABI_ARCHIVE)
  framemap_vendor_object(llvm FRAMEMAP_LLVM_DEMANGLER ${LIBCXXABI_ARCHIVE} cxa_demangle.cpp.o fm_vendor_cxa_demangle)
endif()
if(FRAMEMAP_LLVM_DEMANGLER)
  list(APPEND FRAMEMAP_DEMANGLER_OBJECTS ${FRAMEMAP_DEMANGLER_DIR}/llvm.o)
  message(STATUS "Demanglers: LLVM's from ${LIBCXXABI_ARCHIVE}, GNU's from ${LIBIBERTY_ARCHIVE}")
else()
  message(WARNING "No usable libc++abi.a (Debian, Ubuntu: libc++abi-19-dev or libc++abi-dev): C++ names are printed as GNU's tools print them, in every style")
endif()
