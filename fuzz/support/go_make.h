/* Makes the table of functions of a small Go program, as each version of Go writes it, and an image that has only this
 * table, code and moduledata. For tests, and for the harness that compiles such tables.
 *
 * The program, with offsets in its code, which starts at GO_TEXT:
 *
 *     0x00-0x30  main.main, "/src/main.go", declared at line 9
 *       0x00 line 10, 0x08 line 12
 *       0x10 main.inner, "/src/inner.go" line 5, inlined at line 21 of main.middle, inlined at line 12
 *       0x18 main.middle, line 21
 *       0x20 line 13; padding from 0x28 on
 *     0x30-0x40  main.asm, without lines
 *     0x40-0x60  main.last, "/src/inner.go" line 31, declared at line 30 */
#ifndef FM_FUZZ_SUPPORT_GO_MAKE_H
#define FM_FUZZ_SUPPORT_GO_MAKE_H

#include "mappers/native/image/go_section.h"
#include "mappers/native/image/image.h"

enum { GO_TEXT = 0x1000, GO_TEXT_SIZE = 0x60, GO_TABLE = 0x10000, GO_DATA = 0x80000, GO_TABLE_MOST = 1024 };

struct go_made {
    unsigned char bytes[GO_TABLE_MOST];
    size_t size;
    size_t inline_tree; /* offset of the inline tree of main.main */
};

void go_table_make(enum fm_go_version version, bool is64, bool big_endian, struct go_made *out);

/* moduledata for a table at GO_TABLE, up to its last member that is read. Inline trees are in the table itself. */
enum { GO_MODULE_WORDS = 41 };
size_t go_module_make(framemap_str table, bool is64, bool big_endian, unsigned char out[GO_MODULE_WORDS * 8]);

/* An image and its sections. It must not be moved, because the image points into it. */
struct go_image {
    struct fm_section sections[4];
    struct fm_image image;
};

/* Makes an image with a copy of a table. false: out of memory. */
bool go_image_of(framemap_str table, bool is64, bool big_endian, struct fm_arena *arena, struct go_image *out);

/* Replaces the addresses in moduledata of an image by relocations, as lld does for position-independent programs.
 * false: out of memory. */
bool go_image_relocate(struct go_image *made);

#endif
