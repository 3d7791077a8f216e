/* Implements other_tools.h: has a table of the names of other tools, each with the framemap command that does the same
 * work. */
#include "cli/other_tools.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *begins; /* the tool's name starts with this text */
    const char *use;
} tools[] = {
    {"symbolicate", "framemap -s SYMBOLS REPORT"},
    {"desymbolicate", "framemap -s SYMBOLS REPORT"},
    {"symbolicator", "framemap -s SYMBOLS REPORT"},
    {"deobfuscate", "framemap -s mapping.txt STACK"},
    {"stackwalk", "minidump_stackwalk app.dmp | framemap -s SYMBOLS"},
    {"minidump", "minidump_stackwalk app.dmp | framemap -s SYMBOLS"},
    {"metro-symbolicate", "framemap -s index.android.bundle.map STACK"},
    {"flutter", "framemap symbolize -d FILE.symbols -i TRACE"},
    {"xcrun", "framemap atos -o APP.dSYM -l LOAD ADDRESS"},
    {"source-map", "framemap lookup FILE.js.map LINE:COLUMN, or framemap -s FOLDER STACK"},
    {"sourcemap", "framemap lookup FILE.js.map LINE:COLUMN, or framemap inject FOLDER"},
    {"stackcollapse", "framemap convert --to folded SAMPLES"},
    {"inferno-collapse", "framemap convert --to folded SAMPLES"},
    {"collapse", "framemap convert --to folded SAMPLES"},
    {"flamegraph", "framemap convert --to flamegraph PROFILE"},
    {"inferno-flamegraph", "framemap convert --to flamegraph PROFILE"},
    {"speedscope", "framemap convert --to speedscope PROFILE"},
    {"pprof", "framemap top PROFILE, or framemap convert --to pprof PROFILE"},
    {"eu-addr2line", "framemap addr2line -e FILE ADDRESS"},
};

const char *fm_other_tool(const char *word)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strncasecmp(word, tools[i].begins, strlen(tools[i].begins)) == 0) return tools[i].use;
    return NULL;
}
