/* The symbol files that the tests of framemap_index_verify_against compare: several of each family. */
#ifndef FM_TESTS_API_VERIFY_INPUTS_H
#define FM_TESTS_API_VERIFY_INPUTS_H

#include "tests/corpus.h"
#include <framemap/framemap.h>

struct verify_input {
    const char *path; /* path in corpus/ */
    const char *arch; /* architecture to compare; NULL: the file has only one */
};

static const struct verify_input verify_inputs[] = {
    {"native/clang-x86_64-O2.so", NULL},       /* DWARF 5, inlined calls */
    {"native/gcc-x86_64-O2-dwarf4.elf", NULL}, /* DWARF 4, and a table of symbols */
    {"native/clang-arm-thumb-android-O2.so", NULL},
    {"native/gcc-ppc64be-O2.elf", NULL},
    {"native/rust-x86_64-O2-v0.so", NULL},
    {"native/clang-x86_64-icf.elf", NULL},     /* several names of one function */
    {"native/gcc-x86_64-O2-symtab.elf", NULL}, /* a symbol table, but no debug info */
    {"native/gcc-x86_64-O2-sections.o", NULL}, /* an object file: each section is a scope */
    {"native/macho-fat.dwarf", "arm64"},
    {"native/macho-x86_64.o", NULL},
    {"dart/app.arm64-3.13.symbols", NULL},
    {"dart/app.arm-3.10.symbols", NULL},
    {"dart/names.json", NULL}, /* an obfuscation map */
    {"java/r8/inline/mapping.txt", NULL},
    {"java/r8/outline/mapping.txt", NULL},
    {"java/r8/ambiguous/mapping.txt", NULL},
    {"java/proguard/renamed/mapping.txt", NULL},
    {"java/proguard/optimized/mapping.txt", NULL},
    {"javascript/bundles/swc/calculator.js.map", NULL},
    {"javascript/bundles/hermes/index.android.bundle.map", NULL},
    {"javascript/bundles/rollup/main.mjs.map", NULL},
};

static inline framemap_build_options verify_options(const struct verify_input *input)
{
    const framemap_build_options options = {.size = sizeof options, .arch = input->arch};
    return options;
}

static inline framemap_str verify_read(const struct verify_input *input)
{
    char path[512];
    snprintf(path, sizeof path, CORPUS "%s", input->path);
    return corpus_read(path);
}

static inline void verify_build(const struct verify_input *input, framemap_str file, framemap_bytes *out)
{
    framemap_error error;
    const framemap_build_options options = verify_options(input);
    memset(out, 0, sizeof *out);
    if (framemap_index_build(file, framemap_str_of(input->path), &options, out, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", input->path, error.message);
}

#endif
