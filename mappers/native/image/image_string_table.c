/* Reads strings of a table within a budget. See image_string_table.h. */
#include "mappers/native/image/image_string_table.h"

#include "core/checked.h"
#include "core/limits.h"
#include "core/text/text.h"

/* Bytes that may be read for each byte of the string table, and of the table whose entries refer to it. In real files,
 * names take less than 8. */
#define READS_PER_BYTE 64

struct fm_image_string_table fm_image_string_table_of(framemap_str table, uint64_t entries)
{
    struct fm_image_string_table names = {table, UINT64_MAX};
    uint64_t budget;

    if (fm_mul_u64((uint64_t)table.size + entries, READS_PER_BYTE, &budget)) names.budget = budget;
    return names;
}

framemap_str fm_image_string_at(struct fm_image_string_table *names, uint64_t offset)
{
    const framemap_str none = {NULL, 0};

    if (offset >= names->table.size) return none;
    const char *name = names->table.data + offset;
    size_t most = names->table.size - (size_t)offset;
    if (most > FM_LIMIT_NAME) most = FM_LIMIT_NAME;
    if (most > names->budget) most = (size_t)names->budget;
    const size_t size = strnlen(name, most);
    names->budget -= size;
    return size < most ? (framemap_str){name, size} : none;
}
