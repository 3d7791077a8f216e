/* Decodes classes, methods, fields, members, names and notes of the class form: the lookups of class_view.h. The spans
 * (line ranges) of a method are decoded by span_decoder.c. */
#include "core/cpu.h"
#include "core/hash/hash.h"
#include "core/text/merge_sort.h"
#include "index/read/classes/span_decoder.h"

static uint64_t count_of(const struct fm_view *view, unsigned section) { return view->tables[section].count; }

bool fm_view_classes(const struct fm_view *view, struct fm_classes_about *out)
{
    if (!fm_is_classes(view)) return false;
    *out = (struct fm_classes_about){.class_count = count_of(view, FMX_CLASSES),
                                     .method_count = count_of(view, FMX_METHODS),
                                     .field_count = count_of(view, FMX_CLASS_FIELDS),
                                     .span_count = view->position_count,
                                     .member_count = count_of(view, FMX_MEMBERS),
                                     .name_count = count_of(view, FMX_NAMES)};
    return true;
}

/* --- finding strings --- */

#define ROWS_OF_A_LINE 8 /* about how many method rows a cache line has */

/* Prefetches the first methods and the original name of a class, which are read next if the class is the one that is
 * searched for. */
static inline void ask_ahead_of_class(const struct fm_view *view, uint64_t number)
{
    const struct fm_packed *classes = &view->tables[FMX_CLASSES], *methods = &view->tables[FMX_METHODS];
    const uint64_t first = fm_field(classes, number, CLASS_METHOD);
    fm_prefetch_row(methods, first);
    fm_prefetch_row(methods, first + ROWS_OF_A_LINE);
    fm_prefetch_row(&view->tables[FMX_NAMES], fm_field(classes, number, CLASS_NAME));
}

/* Finds the row whose first string is the key, by the section's hash table (open addressing, linear probing). */
static FM_INLINED bool find_by_hash(const struct fm_view *view, unsigned hash, unsigned section, framemap_str key,
                                    uint64_t *row)
{
    const struct fm_packed *slots = &view->tables[hash], *rows = &view->tables[section];
    uint64_t at = fm_hash64(key.data, key.size, 0) & (slots->count - 1);
    for (unsigned probes = 0; probes < FMX_PROBES_MOST; probes++, at = (at + 1) & (slots->count - 1)) {
        const uint64_t code = fm_field(slots, at, 0);
        if (code == 0 || code > rows->count) return false;
        if (section == FMX_CLASSES) ask_ahead_of_class(view, code - 1);
        if (!fm_str_same(fm_text_field(view, rows, code - 1, 0), key)) continue;
        *row = code - 1;
        return true;
    }
    return false;
}

/* The sort key of a string: its first seven bytes, padded with zeros, then its length, or ORDER_LONG if the string is
 * longer than seven bytes. Two long strings with the same key have to be compared in full. */
enum { ORDER_BYTES = 7, ORDER_LONG = ORDER_BYTES + 1 };
static inline bool is_long(uint64_t order) { return (order & 0xff) == ORDER_LONG; }

static inline uint64_t order_of(framemap_str text)
{
    return text.size < ORDER_LONG ? fm_turn64(fm_str_word(text))
                                  : (fm_sort_prefix(text) & ~(uint64_t)0xff) | ORDER_LONG;
}

/* Returns the sort key as order_of does, but faster, for a string in section STRINGS. There eight bytes can always be
 * read from the string's start, because at least FMX_TAIL bytes follow the section. */
static inline uint64_t order_of_row_text(framemap_str text)
{
    if (text.size == 0) return 0;
    const uint64_t size = text.size < ORDER_LONG ? text.size : ORDER_LONG, unused_bits = 64 - 8 * size;
    const uint64_t bytes = fm_sort_prefix((framemap_str){text.data, 8}) >> unused_bits << unused_bits;
    return (bytes & ~(uint64_t)0xff) | size;
}

/* Returns the first row whose string is at least the key, among the rows [low, end), which are sorted by string. The
 * sort keys decide most comparisons without a call. whole: a row fits one load; a compile-time constant. */
static FM_INLINED uint64_t lower_bound(const struct fm_view *view, unsigned section, uint64_t low, uint64_t end,
                                       framemap_str key, bool whole)
{
    const struct fm_packed *rows = &view->tables[section];
    const uint64_t wanted = order_of(key);
    for (uint64_t high = end; low < high;) {
        const uint64_t middle = low + (high - low) / 2;
        const struct fm_word_row row = fm_word_row_at(rows, middle, whole);
        /* prefetches the spans of this method, because the last methods that the search compares are close to its
         * result */
        if (section == FMX_METHODS) fm_prefetch_bytes(&view->tables[FMX_SPANS], fm_word_row_field(row, METHOD_SPANS));
        const framemap_str text = fm_view_text(view, fm_word_row_field(row, 0), fm_word_row_field(row, 1));
        const uint64_t found = order_of_row_text(text);
        if (is_long(wanted) && found == wanted ? fm_str_compare(text, key) < 0 : found < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static FM_INLINED bool find_in_order(const struct fm_view *view, unsigned section, uint64_t low, uint64_t end,
                                     framemap_str key, uint64_t *row)
{
    const struct fm_packed *rows = &view->tables[section];
    if (low >= end) return false;
    *row = rows->row_bits <= 57 ? lower_bound(view, section, low, end, key, true)
                                : lower_bound(view, section, low, end, key, false);
    return *row < end && fm_str_same(fm_text_field(view, rows, *row, 0), key);
}

/* --- looking up classes --- */

/* Finds the rows of another section that belong to row `row`. A field of this row has the number of the first of them;
 * the same field of the next row has the number after the last. */
static inline void read_stretch(const struct fm_packed *rows, uint64_t row, unsigned field, uint64_t limit,
                                uint64_t *first, uint64_t *count)
{
    const uint64_t begin = fm_field(rows, row, field),
                   next = row + 1 < rows->count ? fm_field(rows, row + 1, field) : limit;
    const bool sound = begin <= next && next <= limit;
    *first = sound ? begin : 0;
    *count = sound ? next - begin : 0;
}

bool fm_view_class_at(const struct fm_view *view, uint64_t number, struct fm_view_class *out)
{
    const struct fm_packed *classes = &view->tables[FMX_CLASSES], *names = &view->tables[FMX_NAMES];
    if (number >= classes->count) return false;
    const struct fm_table_row row = fm_table_row_at(classes, number);
    const uint64_t name = fm_table_row_field(row, CLASS_NAME);
    if (name >= names->count) return false;
    out->number = (uint32_t)number;
    out->residual = fm_table_row_text(view, row, CLASS_TEXT);
    out->original = fm_text_field(view, names, name, NAME_TEXT);
    out->original_name = (uint32_t)name;
    out->flags = (uint32_t)fm_table_row_field(row, CLASS_FLAGS);
    read_stretch(classes, number, CLASS_METHOD, count_of(view, FMX_METHODS), &out->first_method, &out->method_count);
    read_stretch(classes, number, CLASS_FIELD, count_of(view, FMX_CLASS_FIELDS), &out->first_field, &out->field_count);
    return true;
}

bool fm_view_class_number(const struct fm_view *view, framemap_str residual, uint64_t *number)
{
    const bool found = count_of(view, FMX_CLASS_HASH) > 0
                           ? find_by_hash(view, FMX_CLASS_HASH, FMX_CLASSES, residual, number)
                           : find_in_order(view, FMX_CLASSES, 0, count_of(view, FMX_CLASSES), residual, number);
    return found && fm_field(&view->tables[FMX_CLASSES], *number, CLASS_NAME) < count_of(view, FMX_NAMES);
}

bool fm_view_class(const struct fm_view *view, framemap_str residual, struct fm_view_class *out)
{
    uint64_t number;
    return fm_view_class_number(view, residual, &number) && fm_view_class_at(view, number, out);
}

/* --- looking up methods --- */

/* Prefetches the name of a class without a source file, because the file name is then made from the class name. Called
 * while the CPU loads the spans. */
static inline void ask_for_source(const struct fm_view *view, uint64_t name)
{
    const struct fm_packed *names = &view->tables[FMX_NAMES];
    if (name >= names->count) return;
    const struct fm_table_row row = fm_table_row_at(names, name);
    if (fm_table_row_field(row, NAME_SOURCE) == 0) fm_prefetch(fm_table_row_text(view, row, NAME_TEXT).data);
}

bool fm_view_method_at(const struct fm_view *view, uint64_t number, struct fm_view_method *out)
{
    if (!fm_spans_open(view, number, &out->spans)) return false;
    out->residual = fm_text_field(view, &view->tables[FMX_METHODS], number, METHOD_TEXT);
    out->first_span = FM_SPAN_NUMBER(number, 0);
    out->span_count = out->spans.count;
    out->first_part = 0;
    out->part_count = out->spans.parts;
    return true;
}

bool fm_view_class_method(const struct fm_view *view, const struct fm_view_class *owner, framemap_str residual,
                          struct fm_view_method *out)
{
    if (owner->first_method > count_of(view, FMX_METHODS) ||
        owner->method_count > count_of(view, FMX_METHODS) - owner->first_method)
        return false;
    const uint64_t first = owner->first_method;
    uint64_t row;
    return find_in_order(view, FMX_METHODS, first, first + owner->method_count, residual, &row) &&
           fm_view_method_at(view, row, out);
}

bool fm_view_method_of(const struct fm_view *view, uint64_t owner, framemap_str residual, struct fm_view_method *out)
{
    const struct fm_packed *classes = &view->tables[FMX_CLASSES];
    uint64_t first, count, row;
    if (owner >= classes->count) return false;
    read_stretch(classes, owner, CLASS_METHOD, count_of(view, FMX_METHODS), &first, &count);
    if (!find_in_order(view, FMX_METHODS, first, first + count, residual, &row)) return false;
    ask_for_source(view, fm_field(classes, owner, CLASS_NAME));
    return fm_view_method_at(view, row, out);
}

/* --- looking up fields --- */

bool fm_view_fields(const struct fm_view *view, const struct fm_view_class *owner, framemap_str residual,
                    uint64_t *first, uint64_t *count)
{
    const struct fm_packed *fields = &view->tables[FMX_CLASS_FIELDS];
    if (owner->first_field > fields->count || owner->field_count > fields->count - owner->first_field) return false;
    const uint64_t end = owner->first_field + owner->field_count;
    if (!find_in_order(view, FMX_CLASS_FIELDS, owner->first_field, end, residual, first)) return false;
    uint64_t low = *first + 1, high = end; /* binary search for the end of the fields that have this residual name */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (fm_str_equal(fm_text_field(view, fields, middle, FIELD_TEXT), residual))
            low = middle + 1;
        else
            high = middle;
    }
    *count = low - *first;
    return true;
}

bool fm_view_field_at(const struct fm_view *view, uint64_t number, framemap_str *residual, uint32_t *member)
{
    const struct fm_packed *fields = &view->tables[FMX_CLASS_FIELDS];
    if (number >= fields->count) return false;
    const struct fm_table_row row = fm_table_row_at(fields, number);
    const uint64_t found = fm_table_row_field(row, FIELD_MEMBER);
    if (found >= count_of(view, FMX_MEMBERS)) return false;
    *residual = fm_table_row_text(view, row, FIELD_TEXT);
    *member = (uint32_t)found;
    return true;
}

/* --- reading members and names --- */

bool fm_view_member(const struct fm_view *view, uint32_t member, struct fm_view_member *out)
{
    const struct fm_packed *members = &view->tables[FMX_MEMBERS], *names = &view->tables[FMX_NAMES];
    if (member >= members->count) return false;
    const struct fm_table_row row = fm_table_row_at(members, member);
    const uint64_t holder = fm_table_row_field(row, MEMBER_HOLDER);
    if (holder >= names->count) return false;
    const struct fm_table_row owner = fm_table_row_at(names, holder);
    out->holder_name = (uint32_t)holder;
    out->holder = fm_table_row_text(view, owner, NAME_TEXT);
    out->source = fm_table_row_text(view, owner, NAME_SOURCE);
    out->name = fm_table_row_text(view, row, MEMBER_NAME);
    out->type = fm_table_row_text(view, row, MEMBER_TYPE);
    out->arguments = fm_table_row_text(view, row, MEMBER_ARGUMENTS);
    out->is_field = out->arguments.data == NULL;
    return true;
}

bool fm_view_name_source(const struct fm_view *view, uint32_t name, framemap_str *source)
{
    const struct fm_packed *names = &view->tables[FMX_NAMES];
    if (name >= names->count) return false;
    const framemap_str found = fm_text_field(view, names, name, NAME_SOURCE);
    if (found.data == NULL) return false;
    *source = found;
    return true;
}

bool fm_view_source_of(const struct fm_view *view, framemap_str original, framemap_str *source)
{
    uint64_t row;
    const bool found = count_of(view, FMX_NAME_HASH) > 0
                           ? find_by_hash(view, FMX_NAME_HASH, FMX_NAMES, original, &row)
                           : find_in_order(view, FMX_NAMES, 0, count_of(view, FMX_NAMES), original, &row);
    return found && fm_view_name_source(view, (uint32_t)row, source);
}

/* --- reading notes --- */

static bool stretch_of_list(const struct fm_view *view, uint32_t notes, uint64_t *first, uint64_t *count)
{
    const struct fm_packed *lists = &view->tables[FMX_NOTE_LISTS];
    if (lists->count < 2 || notes >= lists->count - 1) return false;
    read_stretch(lists, notes, LIST_NOTE, view->tables[FMX_NOTES].count, first, count);
    return true;
}

bool fm_view_note(const struct fm_view *view, uint32_t notes, uint64_t which, struct fm_view_note *out)
{
    const struct fm_packed *rows = &view->tables[FMX_NOTES];
    uint64_t first, count;
    if (!stretch_of_list(view, notes, &first, &count) || which >= count) return false;
    const struct fm_table_row row = fm_table_row_at(rows, first + which);
    out->kind = (uint32_t)fm_table_row_field(row, NOTE_KIND);
    out->text = fm_table_row_text(view, row, NOTE_TEXT);
    out->from = (int32_t)fm_unzigzag(fm_table_row_field(row, NOTE_FROM));
    out->to = (int32_t)fm_unzigzag(fm_table_row_field(row, NOTE_TO));
    out->count = fm_unzigzag(fm_field_wide(rows, first + which, NOTE_COUNT));
    return true;
}

static int32_t note_line(struct fm_table_row row, unsigned field)
{
    return (int32_t)fm_unzigzag(fm_table_row_field(row, field));
}

static bool starts_after(struct fm_table_row row, int32_t line)
{
    return fm_table_row_field(row, NOTE_KIND) == FM_NOTE_POSITION && note_line(row, NOTE_FROM) > line;
}

bool fm_view_outline_line(const struct fm_view *view, uint32_t notes, int32_t *line)
{
    const struct fm_packed *rows = &view->tables[FMX_NOTES];
    uint64_t first, count;
    if (!stretch_of_list(view, notes, &first, &count) || count == 0) return false;
    if (fm_note_rank((uint32_t)fm_table_row_field(fm_table_row_at(rows, first + count - 1), NOTE_KIND)) == 0)
        return false;
    while (count > 0) { /* after the loop, `first` is the number of the first note about a line after `line` */
        const uint64_t half = count / 2;
        const bool starts_later = starts_after(fm_table_row_at(rows, first + half), *line);
        first += starts_later ? 0 : half + 1;
        count = starts_later ? half : count - half - 1;
    }
    const struct fm_table_row row = fm_table_row_at(rows, first > 0 ? first - 1 : 0);
    if (fm_table_row_field(row, NOTE_KIND) == FM_NOTE_POSITION && note_line(row, NOTE_FROM) == *line)
        *line = note_line(row, NOTE_TO);
    return true;
}
