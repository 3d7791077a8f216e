/* The layout of index bytes, as docs/index-format.md specifies it. Shared by the writer and the readers; the document
 * is changed first.
 *
 *     header      56 bytes
 *     directory   40 bytes for each section that is not empty
 *     sections    without gaps, sorted by id
 *     tail        8 zero bytes, so that the last packed field can be read with an 8-byte load
 *
 * All scopes are mapped to one axis of consecutive offsets, starting at 0. The ranges of a scope map its positions to
 * axis offsets; long holes are left out. The axis is cut into buckets of 2^shift offsets. A bucket's block has the
 * entries that begin in it, preceded by the entry that covers its first offset. */
#ifndef FM_INDEX_FORMAT_LAYOUT_H
#define FM_INDEX_FORMAT_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define FMX_MAGIC "FMX" /* bytes 0 to 3 are this text and a NUL */
#define FMX_VERSION 2u
/* version without compressed strings; indexes of the class form and of the segment form still have it */
#define FMX_VERSION_PLAIN 1u
#define FMX_HEADER 56u /* bytes before the directory */
#define FMX_ENTRY 40u  /* bytes of one directory entry */
#define FMX_TAIL 8u
#define FMX_FIELDS 7          /* maximum number of fields in a row of a table */
#define FMX_SECTIONS_MOST 64u /* sections of one file; a reader skips ids that it does not know */
#define FMX_SHIFT_MOST 62u
/* greatest length of the axis, on which all positions of an index are numbered; sums of lengths cannot overflow */
#define FMX_AXIS_MOST (UINT64_C(1) << FMX_SHIFT_MOST)
#define FMX_PROBES_MOST 64u /* slots probed for one key of the scope hash */

/* Offsets of the fields in the header. */
enum {
    FMX_AT_VERSION = 4,
    FMX_AT_HEADER_SIZE = 8,
    FMX_AT_SECTIONS = 12,
    FMX_AT_FILE_SIZE = 16,
    FMX_AT_CHECK = 24, /* checksum of all other bytes of header and directory */
    FMX_AT_BASE = 32,
    FMX_AT_POSITIONS = 40,
    FMX_AT_SHIFT = 48,
    FMX_AT_ADDRESS_BITS = 49,
    FMX_AT_FLAGS = 50,
    FMX_AT_ZERO = 52
};
enum {
    FMX_FLAG_BIG_ENDIAN = 1u << 0,
    FMX_FLAG_NUMBERED = 1u << 1,
    FMX_FLAG_LINES = 1u << 2,
    FMX_FLAG_HEAD = 1u << 3,
    FMX_FLAG_CLASSES = 1u << 4,
    FMX_FLAG_SEGMENTS = 1u << 5,
    FMX_FLAGS_ALL = 63u
};

/* Offsets in a directory entry. */
enum {
    FMX_ENTRY_ID = 0,
    FMX_ENTRY_WIDTHS = 1,
    FMX_ENTRY_COUNT = 8,
    FMX_ENTRY_OFFSET = 16,
    FMX_ENTRY_SIZE = 24,
    FMX_ENTRY_HASH = 32
};

enum fmx_section {
    FMX_ATTRIBUTES = 1,
    FMX_SCOPES,
    FMX_SCOPE_HASH,
    FMX_RANGES,
    FMX_BUCKETS,
    FMX_BLOCKS, /* a section of bytes, not of rows */
    FMX_NODES,
    FMX_WIDES,
    FMX_ROOTS, /* a section of bytes since version 2, of rows before */
    FMX_EXTRAS,
    FMX_FUNCTIONS,
    FMX_FILES,
    FMX_TEXTS,
    FMX_GROUPS,
    FMX_PLACES,
    FMX_STRINGS, /* a section of bytes, not of rows */
    /* The sections of the class form. */
    FMX_NAMES,
    FMX_NAME_HASH,
    FMX_CLASSES,
    FMX_CLASS_HASH,
    FMX_METHODS,
    FMX_CLASS_FIELDS,
    FMX_SPANS, /* a section of bytes, not of rows */
    FMX_MEMBERS,
    FMX_NOTE_LISTS,
    FMX_NOTES,
    /* The sections of the segment form. */
    FMX_SOURCES,
    FMX_LINES,
    FMX_SEGMENT_BLOCKS,
    FMX_SEGMENT_GUIDE,
    FMX_SEGMENTS, /* a section of bytes, not of rows */
    FMX_SOURCE_STRETCHES,
    FMX_GENERATED_STRETCHES,
    FMX_OFFSET_LISTS,
    FMX_OFFSETS,
    FMX_CALL_SITES,
    FMX_SEGMENT_RANGES,
    /* The sections of the address form since version 2. */
    FMX_SORTED_TEXTS,
    FMX_SYMBOLS, /* a section of bytes, not of rows */
    FMX_NODE_RANKS,
    FMX_ROOT_GROUPS,
    FMX_DETAILS,
    /* The sections of the head of the split form. */
    FMX_PAGES,
    FMX_CLASS_CHECKS,
    FMX_SECTION_END
};
/* Returns the name of a section for messages. */
const char *fm_section_name(unsigned id);
/* Returns the expected value of FMX_AT_CHECK: XXH64 of the header after that field, seeded with XXH64 of the header
 * before it. */
uint64_t fm_header_check(const unsigned char *data, size_t head_size);

/* Attributes that identify the index. */
#define FMX_KEY_KIND ".kind"
#define FMX_KEY_ID ".id"
#define FMX_KEY_ARCH ".arch"
#define FMX_KEY_NAME ".name"

/* Fields of each table in the order of the row. A string takes two fields, an offset in STRINGS and a size; offset 0
 * means no string. Since version 2 the strings of functions, files, extras and TEXTS are codes of sorted strings, and
 * the size field has width 0. The code of number n is n + 1; 0 means none. */
enum { ATTRIBUTE_KEY, ATTRIBUTE_KEY_SIZE, ATTRIBUTE_VALUE, ATTRIBUTE_VALUE_SIZE };
enum {
    SCOPE_KEY /* offset of the key in STRINGS, or the number that is the key */,
    SCOPE_KEY_SIZE,
    SCOPE_RANGE /* number of the scope's first range */,
    SCOPE_UNIT
};
enum { HASH_SCOPE /* number of the scope plus 1; 0: the slot is empty */ };
enum { RANGE_FIRST /* first position of the range */, RANGE_AXIS };
enum { BUCKET_BLOCK /* offset of the bucket's block in BLOCKS */ };
enum { NODE_FUNCTION /* number of the function plus 1; 0: none */, NODE_UP, NODE_LINE, NODE_COL, NODE_FLAGS };
enum { WIDE_NODE, WIDE_PARENT, WIDE_FILE /* number of the file plus 1; 0: none */, WIDE_LINE, WIDE_COL };
enum { ROOT_START, ROOT_SIZE, ROOT_FLAGS };
enum { EXTRA_ROOT, EXTRA_TEXT, EXTRA_TEXT_SIZE, EXTRA_KIND };
enum {
    FUNCTION_NAME,
    FUNCTION_NAME_SIZE,
    FUNCTION_CLASS /* number of the class name in TEXTS plus 1; 0: none */,
    /* number plus 1 of the home file: the file of the declaration, or else the first file of the code; 0: none */
    FUNCTION_HOME,
    FUNCTION_LINE,
    FUNCTION_FLAGS,
    FUNCTION_LANGUAGE /* the language plus one modulo 256, so that 255 (other) is stored as 0 */
};
enum { FILE_FOLDER, FILE_FOLDER_SIZE, FILE_NAME, FILE_NAME_SIZE };
enum { TEXT_AT, TEXT_SIZE };
enum { GROUP_PLACE /* number of the group's first location in PLACES */ };
enum { NAME_TEXT, NAME_TEXT_SIZE, NAME_SOURCE, NAME_SOURCE_SIZE };
enum { HASH_NAME /* number of the name plus 1; 0: the slot is empty */ };
enum {
    CLASS_TEXT,
    CLASS_TEXT_SIZE,
    CLASS_NAME,
    CLASS_FLAGS,
    CLASS_METHOD /* number of the class's first method */,
    CLASS_FIELD /* number of the class's first field */
};
enum { HASH_CLASS /* number of the class plus 1; 0: the slot is empty */ };
enum { METHOD_TEXT, METHOD_TEXT_SIZE, METHOD_SPANS /* offset of the method's spans (line ranges) in SPANS */ };
enum { FIELD_TEXT, FIELD_TEXT_SIZE, FIELD_MEMBER };
enum {
    MEMBER_HOLDER,
    MEMBER_NAME,
    MEMBER_NAME_SIZE,
    MEMBER_TYPE,
    MEMBER_TYPE_SIZE,
    MEMBER_ARGUMENTS,
    MEMBER_ARGUMENTS_SIZE
};
enum { LIST_NOTE /* number of the list's first note */ };
enum {
    NOTE_KIND,
    NOTE_TEXT,
    NOTE_TEXT_SIZE,
    NOTE_FROM /* a signed number, zigzag-coded */,
    NOTE_TO /* a signed number, zigzag-coded */,
    NOTE_COUNT /* a signed number, zigzag-coded */
};
enum {
    SOURCE_ADDRESS,
    SOURCE_ADDRESS_SIZE,
    SOURCE_SPELLED /* address as the map spells it; absent: equal to the address of the source */,
    SOURCE_SPELLED_SIZE,
    SOURCE_CONTENT,
    SOURCE_CONTENT_SIZE,
    SOURCE_FLAGS
};
enum { LINE_AXIS /* where the line starts on the axis, on which all generated lines follow each other */, LINE_NUMBER };
enum { SEGMENT_BLOCK_AXIS /* axis offset of the block's first segment */, SEGMENT_BLOCK_AT /* offset in SEGMENTS */ };
enum { GUIDE_BLOCK };
enum {
    SOURCE_STRETCH_SOURCE,
    SOURCE_STRETCH_LINE,
    SOURCE_STRETCH_COL,
    SOURCE_STRETCH_TEXT,
    SOURCE_STRETCH_TEXT_SIZE,
    SOURCE_STRETCH_ORIGIN
};
enum {
    GENERATED_STRETCH_LINE,
    GENERATED_STRETCH_COL,
    GENERATED_STRETCH_TEXT,
    GENERATED_STRETCH_TEXT_SIZE,
    GENERATED_STRETCH_ORIGIN,
    GENERATED_STRETCH_SITE, /* number of the call site in CALL_SITES plus 1; 0: none */
    GENERATED_STRETCH_FLAGS
};
enum { OFFSET_LIST_KIND, OFFSET_LIST_GROUP, OFFSET_LIST_FIRST /* number of the list's first offset */ };
enum { OFFSET_CODE /* the offset plus one; 0: a hole */ };
enum {
    SITE_SOURCE,
    SITE_LINE,
    SITE_COL,
    SITE_TEXT,
    SITE_TEXT_SIZE,
    SITE_CALLER /* number of the caller's own call site in CALL_SITES plus 1; 0: none */,
    SITE_FLAGS
};
enum { SEGMENT_RANGE_LINE, SEGMENT_RANGE_COL };
enum { SORTED_AT /* offset of a group in STRINGS */ };
enum { RANK_BEFORE /* number of set bits in all earlier rows */, RANK_BITS };
enum { ROOT_GROUP_AT /* offset of a group in ROOTS */ };
enum { PAGE_FIRST, PAGE_COUNT /* number of adjacent pages from PAGE_FIRST on, less one */, PAGE_CONTINUES };
enum { CHECK_CLASS /* the low 32 bits of XXH64 of a name */ };
/* Fields of the details of a function. In version 1 they are in FUNCTIONS, after the name, in the same order. */
enum { DETAIL_CLASS, DETAIL_HOME, DETAIL_LINE, DETAIL_FLAGS, DETAIL_LANGUAGE };
enum {
    PLACE_NODE /* number of the node plus 1; 0: none */,
    PLACE_FILE /* number of the file plus 1; 0: none */,
    PLACE_LINE,
    PLACE_COL,
    PLACE_NAME /* number of the name in TEXTS plus 1; 0: none */,
    PLACE_FLAGS
};

/* Bits of the field ROOT_FLAGS. */
enum {
    FMX_ROOT_HAS_START = 1u << 0,
    FMX_ROOT_EXTRAS = 1u << 1,
    FMX_ROOT_ARTIFICIAL = 1u << 2 /* in version 1 this is a flag of the node */
};
#define FMX_ROOT_FLAGS 7u
/* Values of the field EXTRA_KIND. */
enum { FMX_EXTRA_SYMBOL = 0, FMX_EXTRA_ALIAS = 1 };
/* Bit of the field FUNCTION_FLAGS: the function is declared in its home file. Without the flag, the home file is only
 * the first file of the function's code. */
enum { FMX_FUNCTION_DECLARED = 1u << 0 };

/* Sorted strings are stored in groups of this many (the last one may be shorter). Each string shares a prefix with the
 * one before it, and only the rest is stored. */
#define FM_SORTED_GROUP_BITS 5u
#define FM_SORTED_GROUP (1u << FM_SORTED_GROUP_BITS)
/* Head of a group, before the fields of its strings: the number of strings less one, then two widths. */
enum {
    FM_SORTED_COUNT_WIDTH = 5,
    FM_SORTED_COMMON_WIDTH = 4, /* width of a shared prefix's size */
    FM_SORTED_SIZE_WIDTH = 5    /* width of the remaining size */
};
#define FM_SORTED_COMMON_MOST 0x7FFFu /* longest shared prefix, in bytes */

/* A block starts with a head of 40 bits, or of 104 bits if a number does not fit (bit 0 set), then 16 or 32 more bits
 * if bit 3 is set. After it, without gaps: the node base (if there are contexts), the word of upper bits, the lower
 * bits of entries 1 …, the rows, contexts, names. The entry offsets are Elias-Fano coded: upper bits in unary in one
 * word, lower bits packed. */
enum { FMX_BLOCK_LONG = 1u << 0, FMX_BLOCK_CARRIED = 1u << 1, FMX_BLOCK_GAP = 1u << 2, FMX_BLOCK_MORE = 1u << 3 };
enum { FMX_BLOCK_SHORT_BITS = 40, FMX_BLOCK_LONG_BITS = 104 };
/* Widths in bits of the fields after the flags: the number of entries less one, the number of contexts, and then how
 * wide line codes, columns, file codes, node deltas and line bases are in this block. */
enum {
    FMX_BLOCK_FLAG_BITS = 4,
    FMX_SHORT_ENTRIES = 8,
    FMX_SHORT_CONTEXTS = 6,
    FMX_SHORT_LINE = 4,
    FMX_SHORT_COL = 4,
    FMX_SHORT_FILE = 5,
    FMX_SHORT_NODE = 5,
    FMX_SHORT_BASE = 4
};
/* Bit offsets of the fields in the short head of a block of section BLOCKS. */
enum {
    FMX_SHORT_ENTRIES_AT = FMX_BLOCK_FLAG_BITS,
    FMX_SHORT_CONTEXTS_AT = FMX_SHORT_ENTRIES_AT + FMX_SHORT_ENTRIES,
    FMX_SHORT_LINE_AT = FMX_SHORT_CONTEXTS_AT + FMX_SHORT_CONTEXTS,
    FMX_SHORT_COL_AT = FMX_SHORT_LINE_AT + FMX_SHORT_LINE,
    FMX_SHORT_FILE_AT = FMX_SHORT_COL_AT + FMX_SHORT_COL,
    FMX_SHORT_NODE_AT = FMX_SHORT_FILE_AT + FMX_SHORT_FILE,
    FMX_SHORT_BASE_AT = FMX_SHORT_NODE_AT + FMX_SHORT_NODE,
    FMX_SHORT_END = FMX_SHORT_BASE_AT + FMX_SHORT_BASE
};
#define FMX_BLOCK_SHORT_WIDTHS                                             \
    {FMX_SHORT_ENTRIES, FMX_SHORT_CONTEXTS, FMX_SHORT_LINE, FMX_SHORT_COL, \
     FMX_SHORT_FILE,    FMX_SHORT_NODE,     FMX_SHORT_BASE}
#define FMX_BLOCK_LONG_WIDTHS {32, 32, 6, 6, 6, 6, 6}
#define FMX_BLOCK_SHORT_NAMES 0x7FFFu /* maximum number of names that the 16-bit field can count */

/* The start of each entry of a block is coded as an upper part, stored in one word, and lower bits (Elias-Fano).
 * Returns the number of bits of an upper part; 0: the block has no such word. `entries` does not count the first entry.
 * For each upper part in turn, the word has one set bit per entry, then a clear bit: entries + 2^result bits, at most
 * 64. */
static inline unsigned fmx_upper_bits_most(unsigned entries) /* the result is at most 60 */
{
    /* The result is 2 from 4 entries on, 3 from 8, 4 from 16 and 5 from 32, or less if the word would exceed 64
     * bits. */
    static const uint8_t bits[61] = {0, 0, 0, 0, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4,
                                     4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4,
                                     4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2};
    return bits[entries];
}
static inline unsigned fmx_upper_bits(uint64_t entries, unsigned shift)
{
    const unsigned bits = entries <= 60 ? fmx_upper_bits_most((unsigned)entries) : 0;
    return bits <= shift ? bits : 0;
}

/* The spans (line ranges) of a method start with a head of 48 bits, or of 144 if a number does not fit. After it,
 * without gaps: members, parts, rows, tree. */
enum {
    FMX_SPANS_LONG = 1u << 0,
    FMX_SPANS_VARY = 1u << 4,
    FMX_SPANS_SORTED = 1u << 5,
    FMX_SPANS_TREE = 1u << 6,
    FMX_SPANS_FLAGS = 8
};
/* bit index of the three flags that say which fields rows have: FM_SPAN_RESIDUAL, ORIGINAL, PAIR */
#define FMX_SPANS_SHAPE_AT 1u
#define FMX_SPANS_SHAPE_BITS 3u /* with FMX_SPANS_VARY each row stores its three flags */
enum { FMX_SPANS_SHORT_BITS = 48, FMX_SPANS_LONG_BITS = 144 };
/* The numbers in the head of a method's spans (line ranges): three counts, each less one, then six widths. */
enum {
    SPANS_COUNT,
    SPANS_MEMBERS,
    SPANS_PARTS,
    SPANS_FROM,   /* width of residual_from */
    SPANS_EXTENT, /* width of residual_to - residual_from */
    SPANS_LINE,   /* width of original_from */
    SPANS_SECOND, /* width in bits of the code for original_to */
    SPANS_MEMBER, /* width of a number of MEMBERS */
    SPANS_NOTES,  /* width of the code of a note list */
    SPANS_NUMBERS
};
#define FMX_SPANS_SHORT_WIDTHS {6, 5, 4, 4, 4, 5, 4, 5, 3}
#define FMX_SPANS_LONG_WIDTHS {32, 32, 32, 6, 6, 6, 6, 6, 6}
/* How original_to is stored. 0: it equals original_from; 1: the original range is as long as the residual one;
 * otherwise 2 + original_to - original_from, modulo 2^32. */
enum { FMX_SECOND_EQUAL = 0, FMX_SECOND_ALONG = 1, FMX_SECOND_FIRST = 2 };
/* Width of a part's flags: FM_SPAN_SYNTHETIC and FM_SPAN_OUTLINE, shifted down. */
#define FMX_PART_FLAG_BITS 2u
#define FMX_PART_FLAGS_AT 4u /* bit index of FM_SPAN_SYNTHETIC in a span's flags */
/* Maximum number of spans that are searched one by one: methods with more spans have a segment tree (line_tree.h)
 * unless their spans are sorted. */
#define FMX_SPANS_SCAN 64u
/* The fields in the head of a segment tree: the numbers of boundaries and of entries, the least boundary plus 2^31, and
 * the width of a boundary. */
enum {
    FMX_TREE_BOUNDARIES = 32,
    FMX_TREE_ENTRIES = 32,
    FMX_TREE_BASE = 33,
    FMX_TREE_WIDTH = 6,
    FMX_TREE_HEAD_BITS = 103
};

/* Segments are stored in blocks of this many; the last block may be shorter. A block starts with a head of 51 bits.
 * After it, without gaps: for segments 1 … the offset on the axis of generated lines, relative to segment 0; then the
 * rows, contexts and names. */
#define FMX_SEGMENTS_EACH 64u
/* Fields in the head of a block of segments. */
enum {
    SEGMENTS_AXIS, /* width of a segment's offset on the axis of generated lines */
    SEGMENTS_LINE, /* width of a line code */
    SEGMENTS_COL,  /* width of an original column */
    SEGMENTS_SOURCE,
    SEGMENTS_BASE, /* width of a context's line */
    SEGMENTS_NAME,
    SEGMENTS_CONTEXTS, /* number of contexts; the next field is the number of names */
    SEGMENTS_NAMES,
    SEGMENTS_GAP, /* 1: some segment has no source */
    SEGMENTS_NUMBERS
};
#define FMX_SEGMENTS_HEAD_WIDTHS {6, 6, 6, 6, 6, 6, 7, 7, 1}
enum { FMX_SEGMENTS_HEAD_BITS = 51 };
#define FMX_SEGMENT_AXIS_MOST (UINT64_C(1) << 56) /* the greatest total length of all generated lines */

/* File code of a context: 0 is the home file of the node's function, 1 unknown, n + 2 is file n. */
enum { FMX_FILE_HOME = 0, FMX_FILE_UNKNOWN = 1, FMX_FILE_FIRST = 2 };

#endif
