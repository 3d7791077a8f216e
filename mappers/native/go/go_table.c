/* Finds and opens the table of functions of a Go program. See go_table.h. */
#include "mappers/native/go/go_table.h"

#include "core/error.h"
#include "core/text/text.h"
#include "mappers/native/go/go_bytes.h"
#include "mappers/native/go/go_module.h"

/* --- reading the header of the table --- */

/* Reads the next word of the header, which is an offset in the table, and returns the bytes at this offset; sets `bad`
 * if the offset is outside of the table. */
static framemap_str part_at_word(const struct fm_go_table *table, struct fm_byte_reader *r)
{
    const uint64_t offset = fm_read_uint(r, table->start.pointer_size);

    r->bad = r->bad || offset >= table->whole.size;
    return r->bad ? (framemap_str){NULL, 0} : fm_str_from(table->whole, (size_t)offset);
}

/* Reads the header of a table. It has counts and the offsets of the parts since version 1.16, and the address of the
 * code since version 1.18. */
static bool read_header(struct fm_go_table *table, struct fm_byte_reader *r)
{
    table->function_count = (uint32_t)fm_read_uint(r, table->start.pointer_size);
    fm_read_uint(r, table->start.pointer_size); /* the number of files is skipped */
    if (table->start.version >= FM_GO_1_18) table->text = fm_read_uint(r, table->start.pointer_size);
    table->names = part_at_word(table, r);
    table->units = part_at_word(table, r);
    table->files = part_at_word(table, r);
    table->values = part_at_word(table, r);
    table->functions = table->records = part_at_word(table, r);
    return !r->bad;
}

/* Returns how many bytes an address, or the offset of a record, has in the list of functions. */
static unsigned field_bytes(const struct fm_go_table *table)
{
    return table->start.version >= FM_GO_1_18 ? 4 : table->start.pointer_size;
}

/* Reads the header of a table of version 1.2. The number of functions is followed by the list of functions, and this
 * list by the offset of the list of files, whose first entry is the number of files. All offsets are relative to the
 * table. */
static bool read_old_header(struct fm_go_table *table, struct fm_byte_reader *r)
{
    table->function_count = (uint32_t)fm_read_uint(r, table->start.pointer_size);
    table->names = table->values = table->records = table->whole;
    table->functions = fm_read_bytes(r, fm_byte_reader_left(r));
    struct fm_byte_reader end = fm_byte_reader_of(table->functions, r->big_endian);
    fm_byte_reader_skip(&end, ((uint64_t)table->function_count * 2 + 1) * table->start.pointer_size);
    const uint32_t offset = fm_read_u32(&end);
    if (end.bad || offset >= table->whole.size) return false;
    table->files = fm_str_from(table->whole, offset);
    struct fm_byte_reader files = fm_byte_reader_of(table->files, r->big_endian);
    table->file_count = fm_read_u32(&files);
    return !files.bad;
}

/* --- reading the list of functions --- */

static uint64_t list_field(const struct fm_go_table *table, uint64_t number)
{
    const unsigned width = field_bytes(table);
    struct fm_byte_reader r = fm_byte_reader_of(table->functions, table->image->big_endian);

    fm_byte_reader_seek(&r, number * width);
    return fm_read_uint(&r, width);
}

uint64_t fm_go_table_start(const struct fm_go_table *table, uint32_t number)
{
    return list_field(table, (uint64_t)number * 2) + table->text;
}

framemap_str fm_go_table_record(const struct fm_go_table *table, uint32_t number)
{
    const uint64_t offset = list_field(table, (uint64_t)number * 2 + 1);

    return offset < table->records.size ? fm_str_from(table->records, (size_t)offset) : (framemap_str){NULL, 0};
}

/* Keeps the functions up to the first one whose end is not sound: addresses must ascend, and the code must not be
 * larger than the file, so that the work is bounded. Returns whether all functions are sound. */
static bool check_functions(struct fm_go_table *table)
{
    const uint64_t first = fm_go_table_start(table, 0);
    uint64_t last = first;

    for (uint32_t i = 0; i < table->function_count; i++) {
        const uint64_t end = fm_go_table_start(table, i + 1);
        if (end < last || end - first > table->image->bytes.size) {
            table->function_count = i;
            return false;
        }
        last = end;
    }
    return true;
}

/* Whether the list of functions is within the table. */
static bool has_whole_list(const struct fm_go_table *table)
{
    return ((uint64_t)table->function_count * 2 + 1) * field_bytes(table) <= table->functions.size;
}

/* --- finding the code and the inline trees --- */

/* Whether the program has a section of build information. Go writes it since version 1.13, the version since which
 * inline trees have the form that go_inlining.h reads. */
static bool has_build_info(const struct fm_image *image)
{
    return fm_image_section(image, FM_STR(".go.buildinfo")) != UINT32_MAX ||
           fm_image_section(image, FM_STR("__go_buildinfo")) != UINT32_MAX;
}

/* Sets the address of the code, and where the inline trees are. Before version 1.18 the table contains addresses, so
 * the address of the code is not needed. Returns false if it is needed and not known. */
static bool find_code(struct fm_go_table *table)
{
    const uint64_t names = table->address + (table->whole.size - table->names.size);
    struct fm_go_module module;

    if (table->start.version < FM_GO_1_18) {
        table->has_inlining = has_build_info(table->image);
        return true;
    }
    if (!fm_go_module_find(table->image, &table->start, table->address, names, &module)) return table->text != 0;
    table->text = module.text;
    table->inline_data = fm_go_bytes_at(table->image, module.inline_data);
    table->has_inlining = table->inline_data.size > 0;
    return true;
}

/* --- opening the table --- */

/* Reads all parts of the table but the list of functions. Returns a description of the damage; NULL: no damage. */
static const char *read_table(struct fm_go_table *table)
{
    struct fm_byte_reader r = fm_byte_reader_of(table->whole, table->image->big_endian);

    if (!fm_go_read_start(&r, &table->start)) return "it has an unknown version";
    if (!(table->start.version == FM_GO_1_2 ? read_old_header(table, &r) : read_header(table, &r)) ||
        !has_whole_list(table))
        return "parts of it are outside of its section";
    if (!find_code(table)) return "the address of the code is unknown";
    if (table->function_count > 0 && !fm_image_is_code(table->image, fm_go_table_start(table, 0)))
        return "its functions are outside of the code";
    return NULL;
}

bool fm_go_table_open(const struct fm_image *image, struct fm_go_table *out, framemap_error *fault)
{
    struct fm_go_section section;

    *out = (struct fm_go_table){.image = image};
    *fault = (framemap_error){.code = FRAMEMAP_OK};
    if (!fm_image_go_section(image, &section)) return false;
    out->whole = section.bytes;
    out->address = section.address;
    const char *wrong = read_table(out);
    if (wrong != NULL)
        out->function_count = 0;
    else if (!check_functions(out))
        wrong = "the addresses of its functions do not ascend";
    if (wrong != NULL)
        fm_error_set(fault, FRAMEMAP_E_CORRUPT, "the table of Go's functions (pclntab) is damaged: %s", wrong);
    return true;
}
