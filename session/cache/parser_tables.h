/* Stores the tables of parsers (format_registry.h) that a session uses. Making a table costs more than parsing a short
 * stack, so the calls on a session share the tables. Called by the restore calls and by session.c. */
#ifndef FM_SESSION_CACHE_PARSER_TABLES_H
#define FM_SESSION_CACHE_PARSER_TABLES_H

#include "core/heap.h"
#include "core/thread.h"
#include <framemap/base.h>

struct fm_parser_table;

struct fm_parser_tables {
    struct fm_heap *heap;
    fm_mutex lock;
    /* list of tables, one for each value of framemap_restore_options.format that was used */
    struct fm_shared_table *first;
};

void fm_parser_tables_init(struct fm_parser_tables *tables, struct fm_heap *heap);
/* Frees the tables. No stream may use a table any more. */
void fm_parser_tables_free(struct fm_parser_tables *tables);
/* Finds or makes the table for a format; NULL: for all formats. The table lives as long as the session. Any thread may
 * call. Errors: ARGUMENT, MEMORY. */
framemap_status fm_parser_tables_get(struct fm_parser_tables *tables, const char *format,
                                     const struct fm_parser_table **out, framemap_error *error);

#endif
