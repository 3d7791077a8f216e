/* Implements parser_tables.h: keeps a linked list of tables, one for each format that was asked for and one for all
 * formats; the first call that needs a table makes it under the lock. */
#include "session/cache/parser_tables.h"
#include "core/error.h"
#include "formats/format_registry.h"
#include <string.h>

struct fm_shared_table {
    struct fm_shared_table *next;
    const struct fm_format *only; /* the only format to parse; NULL: all formats */
    struct fm_parser_table *parsers;
};

void fm_parser_tables_init(struct fm_parser_tables *tables, struct fm_heap *heap)
{
    *tables = (struct fm_parser_tables){.heap = heap};
    fm_mutex_init(&tables->lock);
}

void fm_parser_tables_free(struct fm_parser_tables *tables)
{
    for (struct fm_shared_table *table; (table = tables->first) != NULL;) {
        tables->first = table->next;
        fm_formats_close(tables->heap, table->parsers);
        fm_heap_free(tables->heap, table, sizeof *table);
    }
    fm_mutex_destroy(&tables->lock);
}

/* Returns the table for one format (format NULL: the table for all formats). Returns NULL if that table was not made
 * yet. */
static const struct fm_shared_table *find(const struct fm_parser_tables *tables, const char *format)
{
    const struct fm_shared_table *table = tables->first;
    while (table && (format ? !table->only || strcmp(table->only->info.name, format) != 0 : table->only != NULL))
        table = table->next;
    return table;
}

static framemap_status add(struct fm_parser_tables *tables, const char *format, framemap_error *error)
{
    struct fm_parser_table *parsers = NULL;
    const framemap_status status = fm_formats_open(format, tables->heap, &parsers, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_shared_table *table = fm_heap_resize(tables->heap, NULL, 0, sizeof *table);
    if (table == NULL) {
        fm_formats_close(tables->heap, parsers);
        return fm_error_memory(error);
    }
    *table = (struct fm_shared_table){tables->first, format ? fm_format_named(format) : NULL, parsers};
    tables->first = table;
    return FRAMEMAP_OK;
}

framemap_status fm_parser_tables_get(struct fm_parser_tables *tables, const char *format,
                                     const struct fm_parser_table **out, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    fm_mutex_lock(&tables->lock);
    const struct fm_shared_table *table = find(tables, format);
    if (table == NULL) {
        status = add(tables, format, error);
        table = tables->first;
    }
    if (status == FRAMEMAP_OK) *out = table->parsers;
    fm_mutex_unlock(&tables->lock);
    return status;
}
