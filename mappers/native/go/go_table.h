/* The table of functions and lines that every Go program has for its own tracebacks, "pclntab". The linker's options -s
 * and -w, and strip, leave it in the program. This header gives access to the table as a whole; go_function.h reads one
 * function of it. Rules: golang src/runtime/symtab.go and src/debug/gosym/pclntab.go; src/cmd/link/internal/ld/pcln.go
 * writes the table. */
#ifndef FM_MAPPERS_NATIVE_GO_GO_TABLE_H
#define FM_MAPPERS_NATIVE_GO_GO_TABLE_H

#include "mappers/native/image/go_section.h"
#include "mappers/native/image/image.h"

/* All strings are borrowed from the file; each extends to the end of the table, since the table records no sizes. */
struct fm_go_table {
    const struct fm_image *image;
    struct fm_go_start start;
    uint64_t address;        /* address of the table */
    uint32_t function_count; /* number of functions whose addresses are valid */
    uint32_t file_count;     /* only in version 1.2: number of entries of `files` */
    uint64_t text;           /* address that code offsets are relative to; 0 where the table has addresses */
    /* the list of functions, followed by their records; the list has for each function its address and the offset of
     * its record */
    framemap_str functions;
    framemap_str records;     /* offsets of records are relative to this */
    framemap_str names;       /* offsets of names are relative to this */
    framemap_str units;       /* since version 1.16: for each file of a compilation unit, the offset of its path */
    framemap_str files;       /* version 1.2: offsets of paths, which are relative to the table; later: the paths */
    framemap_str whole;       /* the bytes of the whole table */
    framemap_str values;      /* the tables of pc values */
    bool has_inlining;        /* the inline trees can be read */
    framemap_str inline_data; /* since version 1.18: offsets of inline trees are relative to this */
};

/* Finds the table of an image. Returns whether the image has one. *fault describes damage of the table; its code is OK
 * if there is no damage. A damaged table has only the functions before the damage, of which there may be none.
 * Addresses of functions ascend, and the code is not larger than the file. */
bool fm_go_table_open(const struct fm_image *image, struct fm_go_table *out, framemap_error *fault);

/* Returns the address where function `number` starts; number <= function_count. For function_count it is the end of the
 * last function. */
uint64_t fm_go_table_start(const struct fm_go_table *table, uint32_t number);

/* Returns the bytes from the record of a function to the end of the table. */
framemap_str fm_go_table_record(const struct fm_go_table *table, uint32_t number);

#endif
