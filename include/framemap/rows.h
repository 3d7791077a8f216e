/* Restores one field of each row of a table as it arrives: for engines that send rows through a program, such as
 * ClickHouse's executable functions, rsyslog, Logstash, Fluent Bit and Spark's pipe.
 *
 * One row comes out for each row that goes in, in the same order. Stacks of different rows never mix. A row in which
 * nothing is restored, or that cannot be read, is written byte for byte as it came. */
#ifndef FRAMEMAP_ROWS_H
#define FRAMEMAP_ROWS_H

#include <framemap/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows that are being restored. */
typedef struct framemap_rows framemap_rows;

/* Options of framemap_rows_open. Zero the struct, set size to sizeof, then set what differs from the defaults. Later
 * versions only add fields at the end. */
typedef struct framemap_rows_options {
    size_t size;
    /* options for the text of each field; if their `size` is 0, the defaults are used, and no other member may be set
     * (ARGUMENT). The output must be "text". All strings of both structs are borrowed for the call only */
    framemap_restore_options restore;
    /* "tsv": columns between tabs, with the escapes of ClickHouse's TabSeparated and PostgreSQL's text format (\n, \t,
     * \\ and so on; a column \N is NULL and stays). "ndjson": a JSON value on each line. */
    const char *format;
    /* The field that is restored. tsv: the number of the column, from 1; NULL: 1. ndjson: the member, as a JSON Pointer
     * ("/attributes/exception.stacktrace", RFC 6901) or as keys with dots between them ("exception.stacktrace"). A
     * string is restored as a text. An object or array is restored in place, as an event. With NULL the whole row is
     * restored in place, as an event. */
    const char *field;
    /* A member of this name (ndjson), or a last column (tsv; the name is not written), states what happened to the row:
     * "restored": every frame that needs symbols has them; "partial": some have; "unmapped": none has; "none": no frame
     * needs symbols; "no-field": the field is missing or NULL; "unreadable": the row is not of this format;
     * "too-large". A row of ndjson that is not an object gets no member. NULL: nothing is added. */
    const char *status;
    const char *app, *build; /* fields whose values say which app and build the row is from, spelled as `field`; NULL:
                                not known */
    bool only_field;         /* tsv: write the restored column alone, and the status, without the other columns */
    bool chunk_header;       /* a line with the number of rows precedes each block of rows, and is not a row */
    bool answer_header;      /* with chunk_header: the line with the number of rows is written as well */
    uint64_t max_row_bytes;  /* a longer row passes unchanged; 0: FRAMEMAP_LONGEST_LINE */
} framemap_rows_options;

/* How many rows there were, and what happened to them. */
typedef struct framemap_rows_summary {
    framemap_restore_summary
        restore; /* sums over the fields of all rows; first_malformed_line counts lines of the rows */
    uint64_t rows;
    /* rows with the status no-field, unreadable or too-large; rows whose field is NULL are not counted */
    uint64_t unreadable;
    uint64_t first_unreadable_line; /* line number of the first unreadable row; 0: none */
    const char *unreadable_reason;  /* what is wrong with the first unreadable row, static; NULL: none */
} framemap_rows_summary;

/* Opens rows for restoring. write: receives the output in pieces, with `context`, during the calls below only. out:
 * written on success; close it with framemap_rows_close before the session. Errors: ARGUMENT (also an unknown format,
 * field or output), MEMORY. Any thread; the rows belong to one thread at a time. */
FRAMEMAP_API framemap_status framemap_rows_open(framemap_session *session, const framemap_rows_options *options,
                                                framemap_write write, void *context, framemap_rows **out,
                                                framemap_error *error);

/* Adds a piece of the input, cut anywhere, and writes each row that it completes before it returns. text: borrowed for
 * the call. Errors: IO (write refused); MEMORY; CORRUPT (a line that should be a number of rows is not a number). The
 * rows can then only be closed. */
FRAMEMAP_API framemap_status framemap_rows_feed(framemap_rows *rows, framemap_str text, framemap_error *error);

/* Ends the input, restores a last row without a line end, and frees the rows, also if it fails. rows: may be NULL.
 * summary: written on success; may be NULL. error: NULL to discard the rows without writing more. Errors: those of
 * framemap_rows_feed, TRUNCATED (the last block has fewer rows than its header says), and the error of an earlier
 * call. */
FRAMEMAP_API framemap_status framemap_rows_close(framemap_rows *rows, framemap_rows_summary *summary,
                                                 framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
