/* Where a program of Go has the table of functions and lines for its own tracebacks (pclntab). go/go_table.h reads it.
 */
#ifndef FM_MAPPERS_NATIVE_IMAGE_GO_SECTION_H
#define FM_MAPPERS_NATIVE_IMAGE_GO_SECTION_H

#include "core/byte_reader.h"
#include "mappers/native/image/image_types.h"

/* Versions of the table, named after the first version of Go that wrote them. */
enum fm_go_version { FM_GO_1_2, FM_GO_1_16, FM_GO_1_18, FM_GO_1_20 };

struct fm_go_section {
    framemap_str bytes; /* the bytes from the start of the table to the end of the section that contains it */
    uint64_t address;
};

/* The first bytes of a table of functions and lines, decoded. */
struct fm_go_start {
    enum fm_go_version version;
    unsigned quantum;      /* differences between pc values are stored in units of this many bytes */
    unsigned pointer_size; /* 4 or 8 */
};

/* Finds the table. Returns false if the image has none, or if it is relocatable, because the addresses in its table are
 * then not known. */
bool fm_image_go_section(const struct fm_image *image, struct fm_go_section *out);

/* Reads the first bytes of a table. Returns false if they are not those of a table. */
bool fm_go_read_start(struct fm_byte_reader *r, struct fm_go_start *out);

#endif
