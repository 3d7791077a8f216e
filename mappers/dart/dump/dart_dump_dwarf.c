/* Prints debugging information entries. As the Dart package does, it prints each entry below its parent, and then all
 * entries are printed again, level by level. Attributes are read again each time they are printed; only the offsets of
 * entries are stored. */
#include "mappers/dart/dump/dart_dump_dwarf.h"

#include "core/limits.h"
#include "mappers/dart/dump/dart_dump_abbrev.h"
#include "mappers/dart/dump/dart_dump_dwarf_names.h"
#include "mappers/dart/dump/dart_dump_lines.h"
#include <inttypes.h>

struct dart_entry {
    uint32_t offset;
    uint32_t after; /* index of the first entry that is not inside this one */
    uint32_t children;
};

struct dart_unit {
    uint32_t start, size, abbreviations_at;
    unsigned version, address_size;
    const struct fm_dart_dump_table *table;
};

struct dart_dwarf {
    struct fm_dart_dump *dump;
    struct fm_byte_reader info, strings, line_strings;
    struct fm_dart_dump_abbrevs abbrevs;
    struct dart_entry *entries; /* entries of the unit, in file order */
    uint32_t *order;            /* indexes of the entries, level by level */
    size_t entry_count, entry_room, order_room;
    struct dart_unit unit;
};

static bool dwarf_fail_truncated(struct dart_dwarf *dwarf, const char *what)
{
    return fm_dart_dump_fault(dwarf->dump, FRAMEMAP_E_TRUNCATED, what);
}
static bool dwarf_fail_corrupt(struct dart_dwarf *dwarf, const char *what)
{
    return fm_dart_dump_fault(dwarf->dump, FRAMEMAP_E_CORRUPT, what);
}
static bool no_memory(struct dart_dwarf *dwarf)
{
    return fm_dart_dump_fault(dwarf->dump, FRAMEMAP_E_MEMORY, "out of memory");
}

/* --- reading and printing values of attributes --- */

enum value_kind { VALUE_TEXT, VALUE_FLAG, VALUE_ADDRESS, VALUE_OFFSET, VALUE_NUMBER, VALUE_REFERENCE, VALUE_BYTES };

struct dart_value {
    enum value_kind kind;
    unsigned digits; /* number of hex digits with which the offset of a reference is printed */
    uint64_t number;
    framemap_str text;
};

static struct dart_value value_number(uint64_t value)
{
    return (struct dart_value){.kind = VALUE_NUMBER, .number = value};
}

static struct dart_value reference(struct fm_byte_reader *r, unsigned size)
{
    return (struct dart_value){.kind = VALUE_REFERENCE, .digits = 2 * size, .number = fm_read_uint(r, size)};
}

/* Reads a block, which the Dart package does not print. */
static struct dart_value bytes_of(struct fm_byte_reader *r, uint64_t size)
{
    return (struct dart_value){.kind = VALUE_BYTES, .text = fm_read_bytes(r, size)};
}

/* Makes a value from an offset in a string section. The string itself is read only when the value is printed. */
static struct dart_value text_at(const struct fm_byte_reader *strings, uint64_t offset)
{
    struct dart_value value = {.kind = VALUE_TEXT};
    if (strings->data && offset < strings->size)
        value.text = fm_str((const char *)strings->data + offset, strings->size - (size_t)offset);
    return value;
}

/* Reads a value of any form; the reader becomes bad if the form is unknown. */
static struct dart_value read_value(const struct dart_dwarf *dwarf, struct fm_byte_reader *r,
                                    const struct fm_dart_dump_attribute *attribute)
{
    switch (attribute->form) {
    case 0x03: return bytes_of(r, fm_read_u16(r));
    case 0x04: return bytes_of(r, fm_read_u32(r));
    case 0x09:
    case 0x18: return bytes_of(r, fm_read_uleb(r));
    case 0x0a: return bytes_of(r, fm_read_u8(r));
    case 0x01: return (struct dart_value){.kind = VALUE_ADDRESS, .number = fm_read_uint(r, dwarf->unit.address_size)};
    case 0x05: return value_number(fm_read_u16(r));
    case 0x06: return value_number(fm_read_u32(r));
    case 0x07: return value_number(fm_read_u64(r));
    case 0x08: return (struct dart_value){.kind = VALUE_TEXT, .text = fm_read_cstr(r)};
    case 0x0b: return value_number(fm_read_u8(r));
    case 0x0c: return (struct dart_value){.kind = VALUE_FLAG, .number = fm_read_u8(r)};
    case 0x0d: return value_number((uint64_t)fm_read_sleb(r));
    case 0x0e: return text_at(&dwarf->strings, fm_read_u32(r));
    case 0x0f: return value_number(fm_read_uleb(r));
    case 0x11: return reference(r, 1);
    case 0x12: return reference(r, 2);
    case 0x13: return reference(r, 4);
    case 0x14: return reference(r, 8);
    case 0x15: return (struct dart_value){.kind = VALUE_REFERENCE, .number = fm_read_uleb(r)};
    case 0x17: return (struct dart_value){.kind = VALUE_OFFSET, .number = fm_read_u32(r)};
    case 0x19: return (struct dart_value){.kind = VALUE_FLAG, .number = 1};
    case 0x1e: return bytes_of(r, 16);
    case 0x1f: return text_at(&dwarf->line_strings, fm_read_u32(r));
    case 0x21: return value_number((uint64_t)attribute->constant);
    default: r->bad = true; return value_number(0);
    }
}

/* --- reading and printing the entries of a unit --- */

struct open_entries {
    uint32_t numbers[FM_LIMIT_DIE_DEPTH];
    uint32_t depth;
};

/* Reads an entry. false: an error, or, if *end is set, the end of the unit. */
static bool dump_read_entry(struct dart_dwarf *dwarf, struct fm_byte_reader *r, struct open_entries *open, bool *end)
{
    const size_t at = r->at;
    const uint64_t code = fm_read_uleb(r);
    if (r->bad) return dwarf_fail_truncated(dwarf, "a debugging entry is cut short");
    if (code == 0) {
        *end = open->depth == 0;
        if (open->depth) dwarf->entries[open->numbers[--open->depth]].after = (uint32_t)dwarf->entry_count;
        return !*end;
    }
    const struct fm_dart_dump_abbreviation *one = fm_dart_dump_abbreviation(&dwarf->abbrevs, dwarf->unit.table, code);
    if (one == NULL) return dwarf_fail_corrupt(dwarf, "a debugging entry has no abbreviation");
    for (uint32_t i = 0; i < one->count; i++) read_value(dwarf, r, &dwarf->abbrevs.attributes[one->first + i]);
    if (r->bad)
        return dwarf_fail_corrupt(dwarf,
                                  "a debugging entry is cut short, or has a form that Dart's compiler does not write");
    if (!FM_GROW(dwarf->dump->heap, dwarf->entries, dwarf->entry_room, dwarf->entry_count + 1)) return no_memory(dwarf);
    const uint32_t here = (uint32_t)dwarf->entry_count++;
    dwarf->entries[here] = (struct dart_entry){.offset = (uint32_t)at, .after = here + 1};
    if (open->depth) dwarf->entries[open->numbers[open->depth - 1]].children++;
    if (!one->children) return true;
    if (open->depth == FM_LIMIT_DIE_DEPTH)
        return fm_dart_dump_fault(dwarf->dump, FRAMEMAP_E_LIMIT, "debugging entries are nested too deeply");
    open->numbers[open->depth++] = here;
    return true;
}

static bool read_entries(struct dart_dwarf *dwarf, struct fm_byte_reader r)
{
    struct open_entries open = {.depth = 0};
    bool end = false;
    dwarf->entry_count = 0;
    while (r.at < r.size && dump_read_entry(dwarf, &r, &open, &end)) {
    }
    while (open.depth) dwarf->entries[open.numbers[--open.depth]].after = (uint32_t)dwarf->entry_count;
    return dwarf->dump->status == FRAMEMAP_OK;
}

/* Orders entries by level: those at the top, then their children, and so on. */
static bool order_entries(struct dart_dwarf *dwarf)
{
    uint32_t count = 0;
    if (!FM_GROW(dwarf->dump->heap, dwarf->order, dwarf->order_room, dwarf->entry_count)) return no_memory(dwarf);
    for (uint32_t i = 0; i < dwarf->entry_count; i = dwarf->entries[i].after) dwarf->order[count++] = i;
    for (uint32_t done = 0; done < count; done++) {
        const uint32_t parent = dwarf->order[done];
        const uint32_t after = dwarf->entries[parent].after;
        for (uint32_t i = parent + 1; i < after; i = dwarf->entries[i].after) dwarf->order[count++] = i;
    }
    return true;
}

static const struct dart_entry *entry_at(const struct dart_dwarf *dwarf, uint64_t offset)
{
    size_t from = 0, to = dwarf->entry_count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (dwarf->entries[middle].offset < offset)
            from = middle + 1;
        else
            to = middle;
    }
    return from < dwarf->entry_count && dwarf->entries[from].offset == offset ? &dwarf->entries[from] : NULL;
}

static const struct fm_dart_dump_abbreviation *begin_entry(const struct dart_dwarf *dwarf,
                                                           const struct dart_entry *entry, struct fm_byte_reader *r)
{
    *r = dwarf->info;
    fm_byte_reader_seek(r, entry->offset);
    return fm_dart_dump_abbreviation(&dwarf->abbrevs, dwarf->unit.table, fm_read_uleb(r));
}

/* Prints the name of the entry that a reference points to. */
static bool put_origin(struct dart_dwarf *dwarf, uint64_t place)
{
    struct fm_dart_dump *dump = dwarf->dump;
    const struct dart_entry *origin = place < UINT32_MAX ? entry_at(dwarf, dwarf->unit.start + place) : NULL;
    struct fm_byte_reader r = {.at = 0};
    const size_t count = origin ? begin_entry(dwarf, origin, &r)->count : 0;
    const struct fm_dart_dump_abbreviation *one = origin ? begin_entry(dwarf, origin, &r) : NULL;
    for (size_t i = 0; i < count; i++) {
        const struct fm_dart_dump_attribute *attribute = &dwarf->abbrevs.attributes[one->first + i];
        const struct dart_value value = read_value(dwarf, &r, attribute);
        if (!fm_dart_dump_spend(dump, r.at - origin->offset)) return false;
        if (attribute->name != 0x03 || value.kind != VALUE_TEXT) continue;
        fm_dart_dump_latin(dump, fm_dart_dump_until_nul(value.text));
        return true;
    }
    fm_buf_str(&dump->out, FM_STR("<unresolved>"));
    return true;
}

/* Writes a text. The name of Dart's compiler ends with a line end, which is written as it is. */
static void put_text(struct fm_dart_dump *dump, framemap_str text)
{
    const bool ends_line = text.size && text.data[text.size - 1] == '\n';
    fm_dart_dump_latin(dump, fm_str_slice(text, 0, text.size - ends_line));
    if (ends_line) fm_buf_byte(&dump->out, '\n');
}

static bool put_value(struct dart_dwarf *dwarf, const struct dart_value *value)
{
    struct fm_dart_dump *dump = dwarf->dump;
    switch (value->kind) {
    case VALUE_TEXT: put_text(dump, fm_dart_dump_until_nul(value->text)); break;
    case VALUE_FLAG: fm_buf_str(&dump->out, value->number ? FM_STR("true") : FM_STR("false")); break;
    case VALUE_ADDRESS: fm_buf_str(&dump->out, FM_STR("0x")), fm_dart_dump_hex(dump, value->number, 0); break;
    case VALUE_OFFSET: fm_dart_dump_hex(dump, value->number, 8); break;
    case VALUE_NUMBER: fm_buf_printf(&dump->out, "%" PRId64, (int64_t)value->number); break;
    case VALUE_BYTES:
        for (size_t i = 0; i < value->text.size; i++) fm_buf_hex(&dump->out, (unsigned char)value->text.data[i], 2);
        break;
    case VALUE_REFERENCE:
        fm_buf_str(&dump->out, FM_STR("0x"));
        fm_dart_dump_hex(dump, value->number, value->digits);
        fm_buf_str(&dump->out, FM_STR(" (origin: "));
        if (!put_origin(dwarf, value->number)) return false;
        fm_buf_byte(&dump->out, ')');
        break;
    }
    return true;
}

static void indent(struct fm_dart_dump *dump, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) fm_buf_str(&dump->out, FM_STR("  "));
}

static bool dump_entry(struct dart_dwarf *dwarf, const struct dart_entry *entry, uint32_t depth)
{
    struct fm_dart_dump *dump = dwarf->dump;
    struct fm_byte_reader r;
    const struct fm_dart_dump_abbreviation *one = begin_entry(dwarf, entry, &r);
    indent(dump, depth);
    fm_buf_printf(&dump->out, "Abbreviation code: %" PRId64 "):\n",
                  (int64_t)one->code); /* the unmatched parenthesis is not a mistake: the Dart package also prints it */
    for (uint32_t i = 0; i < one->count; i++) {
        const struct fm_dart_dump_attribute *attribute = &dwarf->abbrevs.attributes[one->first + i];
        const struct dart_value value = read_value(dwarf, &r, attribute);
        indent(dump, depth + 1);
        fm_dart_dump_word(dump, "DW_AT", fm_dart_dump_attribute(attribute->name));
        fm_buf_str(&dump->out, FM_STR(" => "));
        if (!put_value(dwarf, &value)) return false;
        fm_buf_byte(&dump->out, '\n');
        if (!fm_dart_dump_more(dump)) return false;
    }
    if (entry->children == 0) return true;
    indent(dump, depth);
    fm_buf_printf(&dump->out, "Children (%u):\n", (unsigned)entry->children);
    return true;
}

struct entry_level {
    uint32_t after, next; /* end of the entry's children; index of the next child */
};

/* Prints an entry with everything inside it. */
static bool dump_tree(struct dart_dwarf *dwarf, uint32_t root)
{
    struct entry_level levels[FM_LIMIT_DIE_DEPTH + 1];
    uint32_t depth = 0;
    const uint32_t after = dwarf->entries[root].after;
    if (!dump_entry(dwarf, &dwarf->entries[root], 0)) return false;
    levels[depth++] = (struct entry_level){after, 0};
    for (uint32_t i = root + 1; i < after; i++) {
        const struct dart_entry *entry = &dwarf->entries[i];
        while (levels[depth - 1].after <= i) depth--;
        indent(dwarf->dump, depth - 1);
        fm_buf_printf(&dwarf->dump->out, "Child %u (at offset 0x%x):\n", (unsigned)levels[depth - 1].next++,
                      (unsigned)entry->offset);
        if (!dump_entry(dwarf, entry, depth) || !fm_dart_dump_more(dwarf->dump)) return false;
        if (entry->children) levels[depth++] = (struct entry_level){entry->after, 0};
    }
    return fm_dart_dump_more(dwarf->dump);
}

/* --- reading and printing units --- */

static bool read_unit(struct dart_dwarf *dwarf, struct fm_byte_reader *r)
{
    struct dart_unit *unit = &dwarf->unit;
    if (unit->size > 0xfffffff0u)
        return dwarf_fail_corrupt(dwarf, "64-bit DWARF, which Dart's compiler does not write");
    unit->version = fm_read_u16(r), unit->abbreviations_at = fm_read_u32(r), unit->address_size = fm_read_u8(r);
    if (r->bad) return dwarf_fail_truncated(dwarf, "a unit of debugging information is cut short");
    if (unit->version != 2)
        return fm_dart_dump_fault(dwarf->dump, FRAMEMAP_E_VERSION,
                                  "the debugging information is not DWARF 2, the version that Dart's compiler writes");
    if (unit->address_size == 0 || unit->address_size > 8)
        return dwarf_fail_corrupt(dwarf, "a unit of debugging information has no address size");
    unit->table = fm_dart_dump_table_at(&dwarf->abbrevs, unit->abbreviations_at);
    if (unit->table == NULL) return dwarf_fail_corrupt(dwarf, "a unit of debugging information has no abbreviations");
    return read_entries(dwarf, *r) && order_entries(dwarf);
}

static bool dump_unit(struct dart_dwarf *dwarf)
{
    struct fm_dart_dump *dump = dwarf->dump;
    const struct dart_unit *unit = &dwarf->unit;
    fm_buf_printf(
        &dump->out,
        "Compilation unit:\n  Size: %u\n  Version: %u\n  Abbreviations offset: 0x%08x\n  Address size: %u\n\n",
        (unsigned)unit->size, unit->version, (unsigned)unit->abbreviations_at, unit->address_size);
    for (size_t i = 0; i < dwarf->entry_count; i++) {
        const uint32_t root = dwarf->order[i];
        fm_buf_printf(&dump->out, "Debug information entry at offset 0x%x:\n", (unsigned)dwarf->entries[root].offset);
        if (!dump_tree(dwarf, root)) return false;
        fm_buf_byte(&dump->out, '\n');
    }
    fm_buf_byte(&dump->out, '\n');
    return fm_dart_dump_more(dump);
}

static bool dump_units(struct dart_dwarf *dwarf)
{
    struct fm_byte_reader *info = &dwarf->info;
    if (info->size >= UINT32_MAX)
        return fm_dart_dump_fault(dwarf->dump, FRAMEMAP_E_LIMIT, "more than 4 GB of debugging information");
    for (size_t at = 0; at < info->size;) {
        struct fm_byte_reader r = *info;
        fm_byte_reader_seek(&r, at);
        dwarf->unit = (struct dart_unit){.start = (uint32_t)at};
        dwarf->unit.size = fm_read_u32(&r);
        if (r.bad) return dwarf_fail_truncated(dwarf, "a unit of debugging information is cut short");
        if (dwarf->unit.size == 0) break;
        const size_t end = r.size - r.at < dwarf->unit.size ? r.size : r.at + dwarf->unit.size;
        r.size = end;
        if (!read_unit(dwarf, &r) || !dump_unit(dwarf)) return false;
        at = end;
    }
    return true;
}

/* --- printing all debug information of an image --- */

static bool open_section(struct dart_dwarf *dwarf, const struct fm_image *image, const char *name,
                         struct fm_byte_reader *out)
{
    struct fm_dart_dump *dump = dwarf->dump;
    const uint32_t section = fm_image_section(image, framemap_str_of(name));
    framemap_str bytes = {NULL, 0};
    if (section != UINT32_MAX) dump->status = fm_image_contents(image, section, &bytes, dump->error);
    *out = fm_byte_reader_of(bytes, image->big_endian);
    return dump->status == FRAMEMAP_OK;
}

static void heading(struct fm_dart_dump *dump, const char *text)
{
    static const char rule[] = "----------------------------------------\n";
    fm_buf_printf(&dump->out, "%s%s\n%s\n", rule, text, rule);
}

static bool dump_all(struct dart_dwarf *dwarf, const struct fm_image *image)
{
    struct fm_dart_dump *dump = dwarf->dump;
    struct fm_byte_reader abbreviations, lines;
    if (!open_section(dwarf, image, ".debug_abbrev", &abbreviations) ||
        !open_section(dwarf, image, ".debug_info", &dwarf->info) ||
        !open_section(dwarf, image, ".debug_line", &lines) ||
        !open_section(dwarf, image, ".debug_str", &dwarf->strings) ||
        !open_section(dwarf, image, ".debug_line_str", &dwarf->line_strings) ||
        !fm_dart_dump_abbrevs_read(&dwarf->abbrevs, &abbreviations))
        return false;
    heading(dump, "         Abbreviation tables");
    if (!fm_dart_dump_abbrevs_print(&dwarf->abbrevs)) return false;
    heading(dump, "          Debug information");
    if (!dump_units(dwarf)) return false;
    heading(dump, "        Line number information");
    return fm_dart_dump_lines(dump, fm_str((const char *)lines.data, lines.size), image->big_endian);
}

bool fm_dart_dump_dwarf(struct fm_dart_dump *dump, const struct fm_image *image)
{
    struct dart_dwarf dwarf = {.dump = dump, .abbrevs = {.dump = dump}};
    const bool good = dump_all(&dwarf, image);
    fm_dart_dump_abbrevs_free(&dwarf.abbrevs);
    fm_heap_free(dump->heap, dwarf.entries, dwarf.entry_room * sizeof *dwarf.entries);
    fm_heap_free(dump->heap, dwarf.order, dwarf.order_room * sizeof *dwarf.order);
    return good;
}
