/* One function of the table of a Go program: its record, and its code as runs of one source location. Rules: golang
 * src/runtime/runtime2.go, struct _func, and src/runtime/symtab.go, pcvalue and step. */
#ifndef FM_MAPPERS_NATIVE_GO_GO_FUNCTION_H
#define FM_MAPPERS_NATIVE_GO_GO_FUNCTION_H

#include "mappers/native/go/go_table.h"

#define FM_GO_NO_FILE UINT32_MAX

/* The start and end of a function's code, and where its tables are. */
struct fm_go_function {
    uint64_t start, end;            /* end: start of the next function; padding may precede it */
    framemap_str name;              /* name of the function; may be empty */
    uint32_t start_line1;           /* since version 1.20: line of the declaration; 0: unknown */
    uint32_t files, lines, inlined; /* offsets of pc-value tables; 0: the function has none */
    uint32_t unit;                  /* since version 1.16: index in `units` of the table */
    framemap_str tree;              /* the inline tree, and bytes after it; empty: nothing is inlined */
};

/* Code with one source location: up to the start of the next run, or the end of the code. */
struct fm_go_run {
    uint64_t low;
    uint32_t file;  /* offset of the path; FM_GO_NO_FILE: unknown */
    uint32_t line1; /* line of the code; 0: unknown */
    /* index of the inlined call in the function's inline tree; -1: the code belongs to the function itself */
    int32_t inlined;
};

/* The runs of one function. The struct can be reused for other functions: zero-initialise it, then set `heap`. */
struct fm_go_runs {
    struct fm_heap *heap;
    struct fm_go_run *items;
    size_t count, capacity;
    uint64_t end; /* end of the code, without padding */
};

/* Reads a function. Returns false if its record is outside of the table. */
bool fm_go_function_read(const struct fm_go_table *table, uint32_t number, struct fm_go_function *out);

/* Reads the runs of a function. Returns false when out of memory. Takes time in proportion to the function's size. */
bool fm_go_runs_read(const struct fm_go_table *table, const struct fm_go_function *function, struct fm_go_runs *out);
void fm_go_runs_free(struct fm_go_runs *runs);

/* Returns the run that contains an address between the start of the first run and `end`. There must be a run. */
const struct fm_go_run *fm_go_runs_at(const struct fm_go_runs *runs, uint64_t address);

/* Returns the offset of the path of a file, given the file's number in the tables of a function; FM_GO_NO_FILE: there
 * is no such file. */
uint32_t fm_go_file(const struct fm_go_table *table, const struct fm_go_function *function, int32_t number);

/* Returns the path at an offset that fm_go_file returned. */
framemap_str fm_go_path(const struct fm_go_table *table, uint32_t offset);

#endif
