/* Returns names and files for the two printers of llvm-symbolizer's answers, in the form that the options select. */
#include "cli/cli.h"
#include "cli/fronts/llvm.h"

#include <string.h>

framemap_str fm_llvm_file(const struct fm_llvm *llvm, framemap_str file)
{
    return llvm->basenames ? fm_base_name(file) : file;
}

framemap_str fm_llvm_name(struct fm_llvm *llvm, const framemap_frame *answer, size_t i)
{
    if (llvm->functions != FM_LLVM_SHORT) return fm_front_frame_name(&llvm->names, answer, i);
    if (answer->restored.frames[i].kind == FRAMEMAP_KIND_DART)
        /* A Dart name such as "new List.of" has no scope that could be removed. */
        return answer->restored.frames[i].function;

    framemap_demangle kept = llvm->names.style;
    /* a short name is derived from the demangled name, so it is demangled first */
    llvm->names.style = FRAMEMAP_DEMANGLE_LLVM;
    framemap_str name = fm_front_name_short(fm_front_name_shown(&llvm->names, answer->restored.frames[i].function));
    llvm->names.style = kept;
    return name;
}

uint64_t fm_llvm_start(const framemap_frame *answer)
{
    return answer->has_function_offset ? answer->address - answer->function_offset : 0;
}
