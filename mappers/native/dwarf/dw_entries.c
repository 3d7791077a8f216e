/* Iterates over the entries of a unit and skips those that are not needed. See dw_entries.h. */
#include "mappers/native/dwarf/dw_entries.h"

#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/dwarf/dw_leb.h"

struct fm_dw_entries fm_dw_entries_of(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                      const struct fm_dw_abbrev_table *table)
{
    const unsigned char *info = (const unsigned char *)sections->info.data;
    const bool c = fm_dw_unit_language(unit) == FM_LANGUAGE_C && fm_str_starts(unit->producer, FM_STR("GNU "));

    return (struct fm_dw_entries){.sections = sections,
                                  .unit = unit,
                                  .table = table,
                                  .at = info + unit->second,
                                  .end = info + unit->end,
                                  .depth = 1,
                                  .jump = c ? FM_DW_SHAPE_JUMP_C : FM_DW_SHAPE_JUMP};
}

static bool stop_at_fault(struct fm_dw_entries *entries, const char *why)
{
    entries->broken = why;
    return false;
}

static bool leaves(struct fm_dw_entries *entries)
{
    return stop_at_fault(entries, "entry with a form that is unknown or leaves its unit");
}

/* --- skipping the attributes of one entry --- */

/* State while attributes are skipped. */
struct attribute_skip {
    const struct fm_dw_entries *entries;
    const unsigned char *at, *end;
    uint64_t sibling; /* offset of the sibling from the unit's first byte; 0 if DW_AT_sibling was not seen */
};

static inline bool pass_bytes(struct attribute_skip *pass, uint64_t count)
{
    if (count > (uint64_t)(pass->end - pass->at)) return false;
    pass->at += count;
    return true;
}

static bool pass_text(struct attribute_skip *pass)
{
    const unsigned char *nul = pass->at < pass->end ? memchr(pass->at, 0, (size_t)(pass->end - pass->at)) : NULL;
    if (nul == NULL) return false;
    pass->at = nul + 1;
    return true;
}

static bool pass_block(struct attribute_skip *pass, unsigned width)
{
    if ((size_t)(pass->end - pass->at) < width) return false;
    const uint64_t count = fm_dw_fixed(pass->at, width, pass->entries->sections->big_endian);
    pass->at += width;
    return pass_bytes(pass, count);
}

static bool pass_sibling(struct attribute_skip *pass, unsigned width)
{
    if ((size_t)(pass->end - pass->at) < width) return false;
    pass->sibling = fm_dw_fixed(pass->at, width, pass->entries->sections->big_endian);
    pass->at += width;
    return true;
}

static bool pass_indirect(struct attribute_skip *pass)
{
    const struct fm_dw_spec spec = {.form = DW_FORM_indirect};
    struct fm_byte_reader r = {
        .data = pass->at, .size = (size_t)(pass->end - pass->at), .big_endian = pass->entries->sections->big_endian};
    struct fm_dw_value value;

    if (!fm_dw_form_read(&r, &pass->entries->unit->encoding, &spec, &value)) return false;
    pass->at += r.at;
    return true;
}

/* Executes a step (of a program that skips attributes) of a less frequent kind. */
static bool pass_other(struct attribute_skip *pass, enum fm_dw_step handle_entry, const uint8_t **operand)
{
    switch (handle_entry) {
    case FM_DW_STEP_SIBLING: return pass_sibling(pass, *(*operand)++);
    case FM_DW_STEP_TEXT: return pass_text(pass);
    case FM_DW_STEP_BLOCK: return pass_block(pass, *(*operand)++);
    case FM_DW_STEP_INDIRECT: return pass_indirect(pass);
    default: return false;
    }
}

/* Executes the steps that skip an entry's attributes. Most steps are fixed sizes, LEB128 numbers and expressions; for
 * these the position stays in a register. */
static inline bool pass_steps(struct attribute_skip *pass, const uint8_t *handle_entry)
{
    const unsigned char *at = pass->at;
    const unsigned char *const end = pass->end;
    uint64_t count;

    for (;;) {
        const enum fm_dw_step kind = (enum fm_dw_step) * handle_entry++;
        if (kind == FM_DW_STEP_BYTES) {
            if (*handle_entry > end - at) return false;
            at += *handle_entry++;
        } else if (kind == FM_DW_STEP_LEB) {
            at = fm_dw_leb_skip(at, end);
            if (at == NULL) return false;
        } else if (kind == FM_DW_STEP_BLOCK_LEB) {
            at = fm_dw_uleb(at, end, &count);
            if (at == NULL || count > (uint64_t)(end - at)) return false;
            at += count;
        } else {
            pass->at = at;
            if (kind == FM_DW_STEP_END) return true;
            if (!pass_other(pass, kind, &handle_entry)) return false;
            at = pass->at;
        }
    }
}

/* Skips the attributes at `at`. */
static inline bool pass_attributes(const struct fm_dw_entries *entries, const struct fm_dw_shape *shape,
                                   const unsigned char *at, struct attribute_skip *pass)
{
    *pass = (struct attribute_skip){.entries = entries, .at = at, .end = entries->end};
    return (shape->flags & FM_DW_SHAPE_FIXED) != 0 ? pass_bytes(pass, shape->size)
                                                   : pass_steps(pass, entries->table->steps + shape->size);
}

const unsigned char *fm_dw_entry_past(const struct fm_dw_entries *entries, const struct fm_dw_shape *shape,
                                      const unsigned char *at, uint64_t *sibling)
{
    struct attribute_skip place = {.entries = entries, .at = at, .end = entries->end};
    struct attribute_skip pass;

    if (!pass_attributes(entries, shape, at, &pass)) return NULL;
    *sibling = pass.sibling;
    if (shape->sibling != FM_DW_NO_PLACE && pass_bytes(&place, shape->sibling) &&
        pass_sibling(&place, shape->sibling_width))
        *sibling = place.sibling;
    return pass.at;
}

/* --- skipping to a sibling --- */

/* Returns the address of the sibling of an entry whose attributes are at `at`, or NULL on a fault. A sibling must be
 * after its entry, so that the iteration always ends. */
static const unsigned char *jump_to_sibling(struct fm_dw_entries *entries, const struct fm_dw_shape *shape,
                                            const unsigned char *at)
{
    struct attribute_skip pass = {.entries = entries, .at = at, .end = entries->end};
    bool good;

    if (shape->sibling != FM_DW_NO_PLACE)
        good = pass_bytes(&pass, shape->sibling) && pass_sibling(&pass, shape->sibling_width);
    else
        good = pass_attributes(entries, shape, at, &pass);
    if (!good) {
        leaves(entries);
        return NULL;
    }
    const struct fm_dw_unit_data *unit = entries->unit;
    const uint64_t here = (uint64_t)(pass.at - (const unsigned char *)entries->sections->info.data) - unit->offset;
    if (pass.sibling < here || pass.sibling > unit->end - unit->offset) {
        stop_at_fault(entries, "entry whose sibling is before it or outside its unit");
        return NULL;
    }
    return pass.at + (pass.sibling - here);
}

/* --- iterating over the entries --- */

/* Skips the attributes of the entry returned last. */
static bool skip_pending(struct fm_dw_entries *entries)
{
    struct attribute_skip pass;

    if (entries->pending == NULL) return true;
    if (!pass_attributes(entries, entries->pending, entries->at, &pass)) return leaves(entries);
    fm_dw_entries_passed(entries, pass.at);
    return true;
}

/* Handles an entry for which more is needed than to skip attributes of a fixed size. *at: the entry's attributes.
 * Returns false to stop: at a function, with *is_function_found set, or at a fault. */
static inline bool handle_entry(struct fm_dw_entries *entries, const struct fm_dw_shape *shape,
                                const unsigned char **at, bool *is_function_found)
{
    struct attribute_skip pass;

    if ((shape->flags & FM_DW_SHAPE_KNOWN) == 0)
        return stop_at_fault(entries, "entry with an abbreviation that its table does not have");
    if ((shape->flags & entries->jump) != 0) {
        *at = jump_to_sibling(entries, shape, *at);
        return *at != NULL;
    }
    *is_function_found = (shape->flags & FM_DW_SHAPE_FUNCTION) != 0;
    if (!*is_function_found) {
        if (!pass_attributes(entries, shape, *at, &pass)) return leaves(entries);
        *at = pass.at;
    }
    if ((shape->flags & FM_DW_SHAPE_CHILDREN) != 0 && ++entries->depth > FM_LIMIT_DIE_DEPTH)
        return stop_at_fault(entries, "entries are nested too deep");
    return !*is_function_found;
}

bool fm_dw_entries_next(struct fm_dw_entries *entries, struct fm_dw_entry *out)
{
    static const struct fm_dw_shape unknown = {.flags = 0};
    const unsigned char *const end = entries->end;
    const struct fm_dw_shape *const shapes = entries->table->shapes;
    const uint64_t limit = entries->table->limit;
    uint32_t lowest = entries->depth;
    bool is_function_found = false;

    if (!skip_pending(entries)) return false;
    for (const unsigned char *at = entries->at;;) {
        /* the null entries that end lists of children may be missing at the unit's end: many producers write padding
         * there, or nothing */
        if (at == end) return false;
        const unsigned char *const from = at;
        uint64_t code;
        at = fm_dw_uleb(at, end, &code);
        if (at == NULL) return stop_at_fault(entries, "entry code leaves its unit");
        if (code == 0) {
            if (entries->depth <= 1) return false; /* padding follows the last null entry */
            if (--entries->depth < lowest) lowest = entries->depth;
            continue;
        }
        const struct fm_dw_shape *shape = code < limit ? &shapes[code] : &unknown;
        if ((shape->flags & FM_DW_SHAPE_PLAIN) != 0) {
            if (shape->size > (size_t)(end - at)) return leaves(entries);
            at += shape->size;
            continue;
        }
        const uint32_t depth = entries->depth;
        if (handle_entry(entries, shape, &at, &is_function_found)) continue;
        if (!is_function_found || entries->broken != NULL) return false;
        *out = (struct fm_dw_entry){(uint64_t)(from - (const unsigned char *)entries->sections->info.data), depth,
                                    lowest, shape, at};
        entries->at = at;
        entries->pending = shape;
        return true;
    }
}
