/* The canonical names of debug sections, complete and static, however the file spells them. */
#include "mappers/native/image/debug_names.h"

#include "core/text/text.h"

static const char *const known[] = {
    ".debug_abbrev",       ".debug_addr",         ".debug_aranges",  ".debug_cu_index", ".debug_frame",
    ".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_info",     ".debug_line",     ".debug_line_str",
    ".debug_loc",          ".debug_loclists",     ".debug_macinfo",  ".debug_macro",    ".debug_names",
    ".debug_pubnames",     ".debug_pubtypes",     ".debug_ranges",   ".debug_rnglists", ".debug_str",
    ".debug_str_offsets",  ".debug_sup",          ".debug_tu_index", ".debug_types",    ".apple_names",
    ".apple_namespaces",   ".apple_objc",         ".apple_types"};

framemap_str fm_debug_name(framemap_str stem, bool cut)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const framemap_str whole = framemap_str_of(known[i]);
        const framemap_str plain = fm_str_from(whole, 1);
        if (fm_str_equal(plain, stem) || (cut && fm_str_starts(plain, stem))) return whole;
    }
    return (framemap_str){NULL, 0};
}
