/* The table of commands: the only list of them. main.c calls them and prints the help from it; command_names.c and
 * cli.h derive the names from it. A new command is one file under commands/ or fronts/ and one row here. */
#ifndef FM_CLI_COMMAND_TABLE_H
#define FM_CLI_COMMAND_TABLE_H

/* ROW(name, function, summary, front), in the order of the help. front: the command behaves like the tool of the
 * same name, and is also selected if the program is called by that tool's name. */
#define FM_COMMAND_TABLE(ROW)                                                                            \
    ROW("restore", fm_cmd_restore, "restore every stack in a text (the default)", false)                 \
    ROW("top", fm_cmd_top, "group the stacks of texts and show how often each occurs", false)            \
    ROW("index", fm_cmd_index, "compile symbol files into indexes", false)                               \
    ROW("lookup", fm_cmd_lookup, "look up locations in one symbol file or index", false)                 \
    ROW("info", fm_cmd_info, "show what a file is: kind, ids, architecture, counts", false)              \
    ROW("dump", fm_cmd_dump, "print an index as text, JSON lines or key-value pairs", false)             \
    ROW("verify", fm_cmd_verify, "compare an index with the symbol file that it was made from", false)   \
    ROW("kv", fm_cmd_kv, "push symbols to a store, list and remove them", false)                         \
    ROW("convert", fm_cmd_convert, "convert stacks to another format, or source maps to one map", false) \
    ROW("inject", fm_cmd_inject, "write debug ids into scripts and their source maps", false)            \
    ROW("list", fm_cmd_list, "list the supported stack formats and symbol file kinds", false)            \
    ROW("llvm-addr2line", fm_cmd_llvm_addr2line, "compatible with LLVM's tool of that name", true)       \
    ROW("addr2line", fm_cmd_addr2line, "compatible with binutils' tool of that name", true)              \
    ROW("llvm-symbolizer", fm_cmd_llvm_symbolizer, "compatible with LLVM's tool of that name", true)     \
    ROW("ndk-stack", fm_cmd_ndk_stack, "compatible with the Android NDK's tool of that name", true)      \
    ROW("atos", fm_cmd_atos, "compatible with Apple's tool of that name", true)                          \
    ROW("retrace", fm_cmd_retrace, "compatible with R8's tool of that name, and ProGuard's", true)       \
    ROW("symbolize", fm_cmd_symbolize, "compatible with Flutter's command of that name", true)           \
    ROW("dart-decode", fm_cmd_dart_decode, "compatible with 'decode' of Dart's package native_stack_traces", true)

#endif
