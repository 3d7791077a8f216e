/* What the parts of `dump` share: where text goes, and what was spent. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_H

#include "core/byte_reader.h"
#include "core/text/buffer.h"
#include "mappers/native/image/image.h"
#include <framemap/dart.h>

struct fm_dump {
    struct fm_heap *heap;
    struct fm_buf out;
    size_t counted;       /* bytes of out that are in spent */
    framemap_write write; /* NULL: all is read and nothing written */
    void *context;
    uint64_t spent, most; /* bytes written, and bytes read again for what is written */
    framemap_error *error;
    framemap_status status; /* the first that went wrong */
};

/* Appends to dump->out by fm_buf_* and these; fm_dump_more after each line or few. false: something went wrong, and
 * dump->status says what. */
bool fm_dump_more(struct fm_dump *dump);
bool fm_dump_spend(struct fm_dump *dump, uint64_t bytes);
/* Sets status; returns false. */
bool fm_dump_fault(struct fm_dump *dump, framemap_status status, const char *what);
/* Bytes as Latin-1, which is how the package reads strings, in UTF-8; control characters are escaped
 * (core/text/escape.h). All strings of the file go through here. */
void fm_dump_latin(struct fm_dump *dump, framemap_str text);
/* A number of 64 bits as Dart prints it: signed, zeros in front up to so many digits, of which the sign is one. */
void fm_dump_hex(struct fm_dump *dump, uint64_t value, unsigned digits);
/* "LABEL", the number, the end of the line. */
void fm_dump_hex_line(struct fm_dump *dump, const char *label, uint64_t value, unsigned digits);
void fm_dump_dec_line(struct fm_dump *dump, const char *label, uint64_t value);
/* Text up to a NUL, at the longest. */
framemap_str fm_dump_until_nul(framemap_str bytes);

/* The container of one image. */
bool fm_dump_elf(struct fm_dump *dump, framemap_str bytes);
bool fm_dump_macho(struct fm_dump *dump, framemap_str bytes);
/* Its debug information. */
bool fm_dump_dwarf(struct fm_dump *dump, const struct fm_image *image);
bool fm_dump_lines(struct fm_dump *dump, framemap_str section, bool big_endian);

/* Names of DWARF's constants; NULL: unknown. Static. */
const char *fm_dump_tag(uint64_t code);
const char *fm_dump_attribute(uint64_t code);
const char *fm_dump_form(uint64_t code);

#endif
