/* Reads the text of a Breakpad symbol file into records, in the order of the file. Called by breakpad_mapper.c;
 * breakpad_compile.c passes the records to the index builder. Texts are borrowed from the file. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_READER_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_READER_H

#include "mappers/mapper.h"
#include "mappers/native/breakpad/breakpad_names.h"

/* A line record: code of one line. Its function is the FUNC record before it. There are millions. */
struct fm_breakpad_row {
    int32_t offset;       /* of its start from that of the function */
    uint32_t size, line1; /* line1: 0: the code has no line */
    uint32_t file;        /* id in `files` */
};

/* An INLINE record: a call that was inlined. */
struct fm_breakpad_call {
    uint32_t level;      /* 0: the call is in the FUNC; n: it is in a call of level n - 1 */
    uint32_t file, line; /* of the call; file: id in `files`, or UINT32_MAX; line: 0: unknown */
    uint32_t origin;     /* the inlined function: id in `origins` */
    bool is_old;         /* the record has no file, as dump_syms wrote it at first */
};

/* One of the address ranges of an INLINE record. */
struct fm_breakpad_range {
    uint64_t address, size;
    uint32_t call; /* index in `calls` */
};

struct fm_breakpad_function {
    uint64_t address, size;
    framemap_str name;
    uint64_t line1;    /* where the record is in the text */
    size_t row, range; /* the function's first row and range; they end where those of the next FUNC start */
    bool is_symbol;    /* a PUBLIC record, or a FUNC record without a size */
};

struct fm_breakpad_records {
    struct fm_heap *heap;
    struct fm_breakpad_row *rows;
    struct fm_breakpad_call *calls;
    struct fm_breakpad_range *ranges;
    struct fm_breakpad_function *functions; /* one more than `function_count`: the last marks the end of the rows */
    struct fm_breakpad_names files, origins;
    size_t row_count, row_capacity, call_count, call_capacity, range_count, range_capacity, function_count,
        function_capacity;
};

/* Reads the text, whose MODULE record ends at `body`. A line that is damaged is reported as a warning and skipped; with
 * host->strict it is an error. Free *out in any case. Errors: CORRUPT (strict), LIMIT, MEMORY. */
framemap_status fm_breakpad_read(framemap_str text, size_t body, const struct fm_mapper_host *host,
                                 struct fm_breakpad_records *out, framemap_error *error);
void fm_breakpad_records_free(struct fm_breakpad_records *records);

#endif
