/* Lines of "non-symbolic" traces, which Dart prints when a program was compiled ahead of time and its names were split
 * off. What counts as which line, and the order in which the locations of a frame are tried, follows
 * package:native_stack_traces, the decoder of Dart's and Flutter's tools. Matches anywhere in a line, since loggers put
 * words before it. Called by the other files of this folder and by session/dart. */
#ifndef FM_FORMATS_DART_DART_LINE_H
#define FM_FORMATS_DART_DART_LINE_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Loading units of one program that are recorded: one per deferred component; real apps have a handful. */
#define FM_DART_UNITS 64u
/* Lines of other text, such as "<asynchronous suspension>" and other log messages, that do not end a trace. */
#define FM_DART_GAP 12

/* A loading unit: a part of the program with code of its own. Unit 1 is the program itself. */
struct fm_dart_unit {
    uint64_t number, start; /* start: address of the unit's code in memory */
    char id[65];            /* build id; empty if unknown */
};

/* What the header lines gave so far. Zero means unknown. */
struct fm_dart_header {
    char os[16], arch[16]; /* system and CPU, as Dart calls them: "android", "x64" */
    char id[65];           /* build id of the program, lower-case hex */
    bool has_base, has_starts;
    uint64_t base;                    /* isolate_dso_base: address of the file in memory */
    uint64_t isolate_start, vm_start; /* addresses of the program's instruction sections; vm_start is 0 from Dart 3.13
                                         on */
    struct fm_dart_unit units[FM_DART_UNITS];
    unsigned unit_count;
};

/* Parses a header line. It also clears the values that come after it in a header, so that two traces never mix if lines
 * are lost. Returns false if it is not a header line. Takes linear time. */
bool fm_dart_header_line(struct fm_dart_header *header, framemap_str line);

/* A frame line: "    #01 abs 00007f68748a… [unit 2] [virt 0000…] _kDartSnapshotText+0x15bacb". */
struct fm_dart_row {
    size_t from; /* offset where the frame begins in the line: at the blanks before '#'. The text before it is a log
                    prefix */
    uint64_t index, absolute, unit, virtual_address;
    bool has_unit, has_virtual;
    bool has_symbol, in_vm; /* symbol+offset is printed; in_vm: the symbol is that of the stubs up to Dart 3.12 */
    framemap_str symbol;    /* with has_symbol: symbol as printed */
    uint64_t offset;
};
/* Parses a frame line, in linear time. Returns false if the line is not one. */
bool fm_dart_row_parse(framemap_str line, struct fm_dart_row *out);

/* Location of a frame's code: an offset in one of the texts of a unit, or an address as linked. */
struct fm_dart_location {
    uint64_t unit;
    bool linked; /* offset is the address as linked */
    bool in_vm;
    uint64_t offset;
};
/* Locates a frame by symbol and offset, by its absolute address and the header, or by its virtual address, in this
 * order. Returns false if none of these is known. */
bool fm_dart_locate(const struct fm_dart_header *header, const struct fm_dart_row *row, struct fm_dart_location *out);
/* Returns the name of an architecture in symbol files, "x86_64" for Dart's "x64"; absent if unknown. Static. */
framemap_str fm_dart_arch(const char *arch);
/* Returns the build id of a unit; empty if unknown. */
const char *fm_dart_id(const struct fm_dart_header *header, uint64_t unit);

/* Prints a trace as the VM does: its header, and a frame. Without header->has_base, the program's address in memory is
 * unknown, and 0 is printed. */
void fm_dart_put_header(struct fm_buf *out, const struct fm_dart_header *header, framemap_str thread);
struct fm_dart_raw_row {
    uint64_t index, absolute, virtual_address, offset;
    framemap_str symbol;
    bool has_virtual, narrow; /* narrow: the program is a 32-bit one */
};
void fm_dart_put_raw_row(struct fm_buf *out, const struct fm_dart_raw_row *row);

/* Whether a restored frame is a stub, which only the symbol table has. A function of the debug info has a declaring
 * file even without a line. */
static inline bool fm_dart_is_stub(const framemap_frame *frame)
{
    return frame->file.size == 0 && frame->declared_file.size == 0;
}

/* Prints one restored frame: "#0      f (package:a/b.dart:1:2)". */
void fm_dart_put_row(struct fm_buf *out, uint64_t number, const framemap_frame *frame);

#endif
