/* Reads and prints abbreviation tables as the Dart package does. */
#include "mappers/dart/dump/dart_dump_abbrev.h"

#include "mappers/dart/dump/dart_dump_dwarf_names.h"
#include <inttypes.h>

static bool abbrevs_fail_truncated(struct fm_dart_dump_abbrevs *abbrevs)
{
    return fm_dart_dump_fault(abbrevs->dump, FRAMEMAP_E_TRUNCATED, "the abbreviations are cut short");
}
static bool abbrevs_fail_corrupt(struct fm_dart_dump_abbrevs *abbrevs, const char *what)
{
    return fm_dart_dump_fault(abbrevs->dump, FRAMEMAP_E_CORRUPT, what);
}
static bool no_memory(struct fm_dart_dump_abbrevs *abbrevs)
{
    return fm_dart_dump_fault(abbrevs->dump, FRAMEMAP_E_MEMORY, "out of memory");
}

static bool read_attributes(struct fm_dart_dump_abbrevs *abbrevs, struct fm_byte_reader *r,
                            struct fm_dart_dump_abbreviation *out)
{
    out->first = (uint32_t)abbrevs->attribute_count;
    for (;;) {
        struct fm_dart_dump_attribute attribute = {.name = fm_read_uleb(r)};
        attribute.form = fm_read_uleb(r);
        if (r->bad) return abbrevs_fail_truncated(abbrevs);
        if (attribute.name == 0 || attribute.form == 0) break;
        if (attribute.form == 0x21) attribute.constant = fm_read_sleb(r);
        if (!FM_GROW(abbrevs->dump->heap, abbrevs->attributes, abbrevs->attribute_room, abbrevs->attribute_count + 1))
            return no_memory(abbrevs);
        abbrevs->attributes[abbrevs->attribute_count++] = attribute;
    }
    out->count = (uint32_t)(abbrevs->attribute_count - out->first);
    return true;
}

static bool read_table(struct fm_dart_dump_abbrevs *abbrevs, struct fm_byte_reader *r, struct fm_dart_dump_table *out)
{
    uint64_t last = 0;
    *out = (struct fm_dart_dump_table){.offset = r->at, .first = (uint32_t)abbrevs->count};
    while (r->at < r->size) {
        struct fm_dart_dump_abbreviation one = {.code = fm_read_uleb(r)};
        if (!r->bad && one.code == 0) break;
        one.tag = fm_read_uleb(r);
        const unsigned children = fm_read_u8(r);
        one.children = children == 1;
        if (r->bad) return abbrevs_fail_truncated(abbrevs);
        if (children > 1) return abbrevs_fail_corrupt(abbrevs, "an abbreviation's children flag is neither 0 nor 1");
        if (one.code <= last)
            return abbrevs_fail_corrupt(
                abbrevs, "the abbreviations are not in the order of their codes, which Dart's compiler never writes");
        last = one.code;
        if (!read_attributes(abbrevs, r, &one)) return false;
        if (!FM_GROW(abbrevs->dump->heap, abbrevs->all, abbrevs->room, abbrevs->count + 1)) return no_memory(abbrevs);
        abbrevs->all[abbrevs->count++] = one;
    }
    out->count = (uint32_t)(abbrevs->count - out->first);
    return true;
}

bool fm_dart_dump_abbrevs_read(struct fm_dart_dump_abbrevs *abbrevs, struct fm_byte_reader *r)
{
    if (r->size >= UINT32_MAX)
        return fm_dart_dump_fault(abbrevs->dump, FRAMEMAP_E_LIMIT, "more than 4 GB of abbreviations");
    while (r->at < r->size) {
        if (!FM_GROW(abbrevs->dump->heap, abbrevs->tables, abbrevs->table_room, abbrevs->table_count + 1))
            return no_memory(abbrevs);
        if (!read_table(abbrevs, r, &abbrevs->tables[abbrevs->table_count])) return false;
        abbrevs->table_count++;
    }
    return true;
}

void fm_dart_dump_word(struct fm_dart_dump *dump, const char *prefix, const char *name)
{
    if (name)
        fm_buf_printf(&dump->out, "%s_%s", prefix, name);
    else
        fm_buf_printf(&dump->out, "unrecognized %s code", prefix);
}

static bool dump_abbreviation(struct fm_dart_dump_abbrevs *abbrevs, const struct fm_dart_dump_abbreviation *one)
{
    struct fm_dart_dump *dump = abbrevs->dump;
    fm_buf_printf(&dump->out, "  %" PRId64 ":\n    Tag: ", (int64_t)one->code);
    fm_dart_dump_word(dump, "DW_TAG", fm_dart_dump_tag(one->tag));
    fm_buf_printf(&dump->out, "\n    Children: DW_CHILDREN_%s\n    Attributes:\n", one->children ? "yes" : "no");
    for (uint32_t i = 0; i < one->count; i++) {
        const struct fm_dart_dump_attribute *attribute = &abbrevs->attributes[one->first + i];
        fm_buf_str(&dump->out, FM_STR("      "));
        fm_dart_dump_word(dump, "DW_AT", fm_dart_dump_attribute(attribute->name));
        fm_buf_str(&dump->out, FM_STR(": "));
        fm_dart_dump_word(dump, "DW_FORM", fm_dart_dump_form(attribute->form));
        fm_buf_byte(&dump->out, '\n');
        if (!fm_dart_dump_more(dump)) return false;
    }
    fm_buf_byte(&dump->out, '\n');
    return fm_dart_dump_more(dump);
}

bool fm_dart_dump_abbrevs_print(struct fm_dart_dump_abbrevs *abbrevs)
{
    struct fm_dart_dump *dump = abbrevs->dump;
    for (size_t i = 0; i < abbrevs->table_count; i++) {
        const struct fm_dart_dump_table *table = &abbrevs->tables[i];
        fm_buf_printf(&dump->out, "(Offset %08" PRIx64 ") Abbreviations table:\n\n", table->offset);
        for (uint32_t at = 0; at < table->count; at++)
            if (!dump_abbreviation(abbrevs, &abbrevs->all[table->first + at])) return false;
        if (!fm_dart_dump_more(dump)) return false;
    }
    return true;
}

const struct fm_dart_dump_table *fm_dart_dump_table_at(const struct fm_dart_dump_abbrevs *abbrevs, uint64_t offset)
{
    size_t from = 0, to = abbrevs->table_count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (abbrevs->tables[middle].offset < offset)
            from = middle + 1;
        else
            to = middle;
    }
    return from < abbrevs->table_count && abbrevs->tables[from].offset == offset ? &abbrevs->tables[from] : NULL;
}

const struct fm_dart_dump_abbreviation *fm_dart_dump_abbreviation(const struct fm_dart_dump_abbrevs *abbrevs,
                                                                  const struct fm_dart_dump_table *table, uint64_t code)
{
    size_t from = table->first, to = from + table->count;
    const size_t end = to;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (abbrevs->all[middle].code < code)
            from = middle + 1;
        else
            to = middle;
    }
    return from < end && abbrevs->all[from].code == code ? &abbrevs->all[from] : NULL;
}

void fm_dart_dump_abbrevs_free(struct fm_dart_dump_abbrevs *abbrevs)
{
    struct fm_heap *heap = abbrevs->dump->heap;
    fm_heap_free(heap, abbrevs->attributes, abbrevs->attribute_room * sizeof *abbrevs->attributes);
    fm_heap_free(heap, abbrevs->all, abbrevs->room * sizeof *abbrevs->all);
    fm_heap_free(heap, abbrevs->tables, abbrevs->table_room * sizeof *abbrevs->tables);
}
