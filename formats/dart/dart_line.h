/* Lines of the traces that Dart prints when its programs are compiled ahead of time and their names were split off
 * ("non-symbolic" traces). What counts as which line, and in which order the places of a frame are tried, is as in
 * package:native_stack_traces, that Dart's and Flutter's own tools decode with: everything is looked for anywhere in
 * the line, since loggers put words before it. */
#ifndef FM_FORMATS_DART_DART_LINE_H
#define FM_FORMATS_DART_DART_LINE_H

#include "formats/format.h"

#define FM_DART_UNITS                                                                                                  \
    64u /* loading units of one program that are remembered: one for each deferred component; real apps have a handful \
         */
#define FM_DART_GAP \
    12 /* lines of other text, as "<asynchronous suspension>" and what other loggers say, that do not end a trace */

/* A part of the program with code of its own; unit 1 is the program itself. */
struct fm_dart_unit {
    uint64_t number, start; /* start: where its text stands in memory */
    char id[65];            /* build id, empty where it is not told */
};

/* What the lines above the frames have told so far. Zero is "nothing". */
struct fm_dart_header {
    char os[16], arch[16]; /* as Dart calls them: "android", "x64" */
    char id[65];           /* build id of the program, lower-case hex */
    bool has_base, has_starts;
    uint64_t base;                    /* isolate_dso_base: where the file stands in memory */
    uint64_t isolate_start, vm_start; /* where its texts do; vm_start is 0 from Dart 3.13 on */
    struct fm_dart_unit units[FM_DART_UNITS];
    unsigned unit_count;
};

/* Whether a line has the stars that a trace's header begins with; so do Android's tombstones. */
bool fm_dart_begins(framemap_str line);
/* Takes what a line of the header tells. A line also forgets what would have come behind it, so that two traces never
 * mix where lines are lost. false: it is no line of a header. Linear. */
bool fm_dart_header_line(struct fm_dart_header *header, framemap_str line);

/* "    #01 abs 00007f68748a… [unit 2] [virt 0000…] _kDartSnapshotText+0x15bacb". */
struct fm_dart_row {
    size_t from; /* where the row begins in the line: at the blanks before '#'. What stands there before it is a
                    logger's */
    uint64_t index, absolute, unit, virtual_address;
    bool has_unit, has_virtual;
    bool has_symbol, in_vm; /* symbol+offset is told; in_vm: it is that of the stubs up to Dart 3.12 */
    framemap_str symbol;    /* with has_symbol: as printed */
    uint64_t offset;
};
/* Linear. false: the line has no row. */
bool fm_dart_row_parse(framemap_str line, struct fm_dart_row *out);

/* Where a row's code is: a distance from one of the texts of a unit, or an address as linked. */
struct fm_dart_location {
    uint64_t unit;
    bool linked; /* offset is the address as linked */
    bool in_vm;
    uint64_t offset;
};
/* By symbol and offset, by the place in memory and the header, by the virtual address, in this order. false: what is
 * told does not suffice. */
bool fm_dart_locate(const struct fm_dart_header *header, const struct fm_dart_row *row, struct fm_dart_location *out);
/* An architecture as symbol files call it, "x86_64" for Dart's "x64"; absent for one that is not known. Static. */
framemap_str fm_dart_arch(const char *arch);
/* The unit's build id; empty where none is told. */
const char *fm_dart_id(const struct fm_dart_header *header, uint64_t unit);

/* A trace as the VM writes it: its header, and a row. Without header->has_base nothing is known of where the program
 * stands in memory, and 0 is written. */
void fm_dart_put_header(struct fm_buf *out, const struct fm_dart_header *header, framemap_str thread);
struct fm_dart_raw_row {
    uint64_t index, absolute, virtual_address, offset;
    framemap_str symbol;
    bool has_virtual, narrow; /* narrow: of a 32-bit program */
};
void fm_dart_put_raw_row(struct fm_buf *out, const struct fm_dart_raw_row *row);

/* Whether a restored frame is a stub, which the symbol table alone knows. A function of the debug info says where it is
 * declared, even without a line. */
static inline bool fm_dart_is_stub(const framemap_frame *frame)
{
    return frame->file.size == 0 && frame->declared_file.size == 0;
}

/* "#0      f (package:a/b.dart:1:2)": one restored row. */
void fm_dart_put_row(struct fm_buf *out, uint64_t number, const framemap_frame *frame);

#endif
