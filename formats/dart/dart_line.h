/* Parses the lines of "non-symbolic" traces, which Dart prints if a program was compiled ahead of time and its symbols
 * were split off. The rules for recognizing lines, and the order in which the ways to locate a frame are tried, follow
 * package:native_stack_traces, the decoder of Dart's and Flutter's tools. A line may have any text before it, since
 * loggers print words there. Called by the other files of this folder and by session/dart. */
#ifndef FM_FORMATS_DART_DART_LINE_H
#define FM_FORMATS_DART_DART_LINE_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Maximum number of loading units of one program that are recorded. A program has one per deferred component, so real
 * apps have a handful. */
#define FM_DART_UNITS 64u
/* Up to this many lines of other text, such as "<asynchronous suspension>" and log messages, may be within one
 * trace. */
#define FM_DART_GAP 12

/* A loading unit: a part of the program with code of its own. Unit 1 is the main program. */
struct fm_dart_unit {
    uint64_t number, start; /* number: that of the unit; start: address of the unit's instructions in memory */
    char id[65];            /* build id; empty if unknown */
};

/* The values read from header lines so far; 0 means not known. */
struct fm_dart_header {
    char os[16], arch[16]; /* system and CPU in Dart's spelling: "android", "x64" */
    char id[65];           /* build id of the program, lower-case hex */
    bool has_base, has_starts;
    uint64_t base; /* isolate_dso_base of the header: address of the file in memory */
    /* where the instruction sections of the isolate and of the VM are in memory; vm_start is 0 from Dart 3.13 on */
    uint64_t isolate_start, vm_start;
    struct fm_dart_unit units[FM_DART_UNITS];
    unsigned unit_count;
};

/* Parses a header line. Also clears the values that later lines of a header state: if lines of this header were lost,
 * no value of an earlier header is used. Returns false if the line is not a header line. Takes linear time. */
bool fm_dart_header_line(struct fm_dart_header *header, framemap_str line);

/* A row: "    #01 abs 00007f68748a… [unit 2] [virt 0000…] _kDartSnapshotText+0x15bacb". */
struct fm_dart_row {
    /* offset in the line at which the row begins: at the blanks before '#'. Text before it is a log prefix */
    size_t from;
    uint64_t index, absolute, unit, virtual_address;
    bool has_unit, has_virtual;
    /* has_symbol: the row ends in SYMBOL+OFFSET; in_vm: SYMBOL is that of the VM's own instructions, which exists up
     * to Dart 3.12 */
    bool has_symbol, in_vm;
    framemap_str symbol; /* the symbol as printed, if has_symbol is set */
    uint64_t offset;
};
/* Parses a row in linear time. Returns false if the line is not a row. */
bool fm_dart_row_parse(framemap_str line, struct fm_dart_row *out);

/* The location of a frame's code: an offset in one of the instruction sections of a unit, or an address as linked. */
struct fm_dart_location {
    uint64_t unit;
    bool linked; /* `offset` is an address as linked */
    bool in_vm;
    uint64_t offset;
};
/* Locates a frame. Tries, in this order: symbol and offset, absolute address and header, virtual address. Returns
 * false if the row has none of these. */
bool fm_dart_locate(const struct fm_dart_header *header, const struct fm_dart_row *row, struct fm_dart_location *out);
/* Returns the name that symbol files use for an architecture, such as "x86_64" for Dart's "x64"; absent if unknown. The
 * string is static. */
framemap_str fm_dart_arch(const char *arch);
/* Returns the build id of a unit; empty if unknown. */
const char *fm_dart_id(const struct fm_dart_header *header, uint64_t unit);

/* Prints the header of a trace as the VM does. If header->has_base is not set, the load address is not known, and 0
 * is printed. */
void fm_dart_put_header(struct fm_buf *out, const struct fm_dart_header *header, framemap_str thread);
struct fm_dart_raw_row {
    uint64_t index, absolute, virtual_address, offset;
    framemap_str symbol;
    bool has_virtual, narrow; /* `narrow`: the program is 32-bit, so addresses have 8 digits */
};
void fm_dart_put_raw_row(struct fm_buf *out, const struct fm_dart_raw_row *row);

/* Whether a restored frame is a stub. Only the symbol table has stubs, while functions in the debug info have a
 * declaring file even if they have no line. */
static inline bool fm_dart_is_stub(const framemap_frame *frame)
{
    return frame->file.size == 0 && frame->declared_file.size == 0;
}

/* Prints one restored frame: "#0      f (package:a/b.dart:1:2)". */
void fm_dart_put_row(struct fm_buf *out, uint64_t number, const framemap_frame *frame);

#endif
