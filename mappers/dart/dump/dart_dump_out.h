/* Output buffer of the Dart dump, and the first error of a run. Used by every file of this folder. Independent of what
 * is dumped. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_OUT_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_OUT_H

#include "core/text/buffer.h"
#include <framemap/dart.h>

struct fm_dart_dump {
    struct fm_heap *heap;
    struct fm_buf out;
    size_t counted;       /* bytes of `out` that `spent` already includes */
    framemap_write write; /* receives the output; NULL: the file is only read to its end */
    void *context;
    /* spent: bytes written so far, plus those bytes of the file that had to be read again to print them; most: the
     * limit */
    uint64_t spent, most;
    framemap_error *error;
    framemap_status status; /* the first error; OK until then */
};

/* Counts what was appended to dump->out since the last call, and writes it when enough has collected. Call it after
 * every few lines. false: an error, which is in dump->status. */
bool fm_dart_dump_more(struct fm_dart_dump *dump);
/* Counts work that adds nothing to the output: it is limited together with the output. false: the limit is exceeded, or
 * an earlier call failed. */
bool fm_dart_dump_spend(struct fm_dart_dump *dump, uint64_t bytes);
/* Writes what is in dump->out. false: an error, which is in dump->status. */
bool fm_dart_dump_flush(struct fm_dart_dump *dump);
/* Records an error unless there is one already; always returns false. */
bool fm_dart_dump_fault(struct fm_dart_dump *dump, framemap_status status, const char *what);

/* Appends Latin-1 bytes as UTF-8, with control characters escaped (core/text/escape.h). The Dart package reads all
 * strings as Latin-1, so all strings of the file must go through here. */
void fm_dart_dump_latin(struct fm_dart_dump *dump, framemap_str text);
/* Appends a 64-bit number as Dart prints it: signed, in hex, padded with zeros in front to `digits` characters
 * including the sign. */
void fm_dart_dump_hex(struct fm_dart_dump *dump, uint64_t value, unsigned digits);
/* Append the label, the number (hexadecimal or decimal) and a line feed. */
void fm_dart_dump_hex_line(struct fm_dart_dump *dump, const char *label, uint64_t value, unsigned digits);
void fm_dart_dump_dec_line(struct fm_dart_dump *dump, const char *label, uint64_t value);
/* Returns the bytes before the first NUL; if there is no NUL, all bytes. */
framemap_str fm_dart_dump_until_nul(framemap_str bytes);

#endif
