/* The table of the kinds of indexes. */
#include "index/format/kinds.h"

static const struct fm_kind kinds[] = {
    {.name = "elf",
     .code = FRAMEMAP_INDEX_ELF,
     .family = FRAMEMAP_KIND_NATIVE,
     .queried_by = FRAMEMAP_QUERIED_BY_ADDRESS,
     .flags = FM_KIND_CLASS_IS_SCOPE},
    {.name = "macho",
     .code = FRAMEMAP_INDEX_MACHO,
     .family = FRAMEMAP_KIND_NATIVE,
     .queried_by = FRAMEMAP_QUERIED_BY_ADDRESS,
     .flags = FM_KIND_CLASS_IS_SCOPE},
    {.name = "wasm",
     .code = FRAMEMAP_INDEX_WASM,
     .family = FRAMEMAP_KIND_NATIVE,
     .queried_by = FRAMEMAP_QUERIED_BY_ADDRESS,
     .flags = FM_KIND_CLASS_IS_SCOPE},
    {.name = "r8", .code = FRAMEMAP_INDEX_R8, .family = FRAMEMAP_KIND_JAVA, .queried_by = FRAMEMAP_QUERIED_BY_MEMBER},
    {.name = "proguard",
     .code = FRAMEMAP_INDEX_PROGUARD,
     .family = FRAMEMAP_KIND_JAVA,
     .queried_by = FRAMEMAP_QUERIED_BY_MEMBER},
    {.name = "sourcemap",
     .code = FRAMEMAP_INDEX_SOURCEMAP,
     .family = FRAMEMAP_KIND_JS,
     .queried_by = FRAMEMAP_QUERIED_BY_LINE},
    {.name = "dart",
     .code = FRAMEMAP_INDEX_DART,
     .family = FRAMEMAP_KIND_DART,
     .queried_by = FRAMEMAP_QUERIED_BY_ADDRESS,
     .flags = FM_KIND_NO_THUMB},
    {.name = "dart-names",
     .code = FRAMEMAP_INDEX_DART_NAMES,
     .family = FRAMEMAP_KIND_DART,
     .queried_by = FRAMEMAP_QUERIED_BY_MEMBER},
    {.name = "kallsyms",
     .code = FRAMEMAP_INDEX_KALLSYMS,
     .family = FRAMEMAP_KIND_NATIVE,
     .queried_by = FRAMEMAP_QUERIED_BY_ADDRESS},
    {.name = "breakpad",
     .code = FRAMEMAP_INDEX_BREAKPAD,
     .family = FRAMEMAP_KIND_NATIVE,
     .queried_by = FRAMEMAP_QUERIED_BY_ADDRESS},
};
static const struct fm_kind other = {.code = FRAMEMAP_INDEX_OTHER, .family = FRAMEMAP_KIND_UNKNOWN};

const struct fm_kind *fm_kind_named(framemap_str name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (fm_str_equal(name, framemap_str_of(kinds[i].name))) return &kinds[i];
    return &other;
}
