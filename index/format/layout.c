/* Names of sections, and the checksum of the header. */
#include "index/format/layout.h"
#include "core/hash/hash.h"

static const char *const names[FMX_SECTION_END] = {[FMX_ATTRIBUTES] = "attributes",
                                                   [FMX_SCOPES] = "scopes",
                                                   [FMX_SCOPE_HASH] = "scope hash",
                                                   [FMX_RANGES] = "ranges",
                                                   [FMX_BUCKETS] = "buckets",
                                                   [FMX_BLOCKS] = "blocks",
                                                   [FMX_NODES] = "nodes",
                                                   [FMX_WIDES] = "wide nodes",
                                                   [FMX_ROOTS] = "roots",
                                                   [FMX_EXTRAS] = "extras",
                                                   [FMX_FUNCTIONS] = "functions",
                                                   [FMX_FILES] = "files",
                                                   [FMX_TEXTS] = "texts",
                                                   [FMX_GROUPS] = "groups",
                                                   [FMX_PLACES] = "places",
                                                   [FMX_STRINGS] = "strings",
                                                   [FMX_NAMES] = "names",
                                                   [FMX_NAME_HASH] = "name hash",
                                                   [FMX_CLASSES] = "classes",
                                                   [FMX_CLASS_HASH] = "class hash",
                                                   [FMX_METHODS] = "methods",
                                                   [FMX_CLASS_FIELDS] = "fields",
                                                   [FMX_SPANS] = "spans",
                                                   [FMX_MEMBERS] = "members",
                                                   [FMX_NOTE_LISTS] = "note lists",
                                                   [FMX_NOTES] = "notes",
                                                   [FMX_SOURCES] = "sources",
                                                   [FMX_LINES] = "lines",
                                                   [FMX_SEGMENT_BLOCKS] = "segment blocks",
                                                   [FMX_SEGMENT_GUIDE] = "segment guide",
                                                   [FMX_SEGMENTS] = "segments",
                                                   [FMX_SOURCE_STRETCHES] = "source stretches",
                                                   [FMX_GENERATED_STRETCHES] = "generated stretches",
                                                   [FMX_OFFSET_LISTS] = "offset lists",
                                                   [FMX_OFFSETS] = "offsets",
                                                   [FMX_CALL_SITES] = "call sites",
                                                   [FMX_SORTED_TEXTS] = "sorted texts",
                                                   [FMX_SYMBOLS] = "symbols",
                                                   [FMX_NODE_RANKS] = "node ranks",
                                                   [FMX_ROOT_GROUPS] = "root groups",
                                                   [FMX_DETAILS] = "details",
                                                   [FMX_PAGES] = "pages",
                                                   [FMX_CLASS_CHECKS] = "class checks",
                                                   [FMX_SEGMENT_RANGES] = "segment ranges"};

const char *fm_section_name(unsigned id) { return id < FMX_SECTION_END && names[id] ? names[id] : "header"; }

uint64_t fm_header_check(const unsigned char *data, size_t head_size)
{
    return fm_hash64(data + FMX_AT_BASE, head_size - FMX_AT_BASE, fm_hash64(data, FMX_AT_CHECK, 0));
}
