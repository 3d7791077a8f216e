/* Verifies the tables of the class form. Called by verify.c. */
#include "core/text/text.h"
#include "index/read/classes/class_view.h"
#include "index/verify/verify_parts.h"

static const struct fm_packed *table_of(const struct fm_checker *checker, unsigned section)
{
    return &checker->view->tables[section];
}
static uint64_t count_of(const struct fm_checker *checker, unsigned section)
{
    return table_of(checker, section)->count;
}

/* Checks that the string of a row, its first field, sorts after the string of the previous row; with may_repeat both
 * may be equal. */
static bool check_order(const struct fm_checker *checker, unsigned section, uint64_t row, bool may_repeat)
{
    const struct fm_packed *rows = table_of(checker, section);
    const int order =
        fm_str_compare(fm_text_field(checker->view, rows, row - 1, 0), fm_text_field(checker->view, rows, row, 0));
    return order < 0 || (may_repeat && order == 0) || fm_check_fails(checker, section, row, "texts out of order");
}

static bool check_names(const struct fm_checker *checker)
{
    for (uint64_t i = 0; i < count_of(checker, FMX_NAMES); i++)
        if (!fm_check_text(checker, FMX_NAMES, i, NAME_TEXT, false) ||
            !fm_check_text(checker, FMX_NAMES, i, NAME_SOURCE, true) ||
            (i > 0 && !check_order(checker, FMX_NAMES, i, false)))
            return false;
    return true;
}

/* Checks that the hash table has as many used slots as there are keys. The caller has already found every key through
 * the table. */
static bool check_hash(const struct fm_checker *checker, unsigned section, uint64_t keys)
{
    const struct fm_packed *slots = table_of(checker, section);
    uint64_t used = 0;
    for (uint64_t i = 0; i < slots->count; i++) used += fm_field(slots, i, 0) != 0;
    return slots->count == 0 || used == keys ||
           fm_check_fails(checker, section, 0, "a hash table with a wrong number of keys");
}

static bool check_name_hash(const struct fm_checker *checker)
{
    const struct fm_packed *names = table_of(checker, FMX_NAMES);
    uint64_t with = 0;
    for (uint64_t i = 0; i < names->count; i++) {
        framemap_str source, found;
        if (!fm_view_name_source(checker->view, (uint32_t)i, &source)) continue;
        with++;
        if (!fm_view_source_of(checker->view, fm_text_field(checker->view, names, i, NAME_TEXT), &found) ||
            found.data != source.data)
            return fm_check_fails(checker, FMX_NAMES, i, "a name that its hash does not find");
    }
    return check_hash(checker, FMX_NAME_HASH, with);
}

/* Checks the number of the first method, or field, of a class: the number must be 0 for the first class, and must not
 * decrease from one class to the next. */
static bool check_first(const struct fm_checker *checker, uint64_t class, unsigned field, uint64_t most)
{
    const struct fm_packed *classes = table_of(checker, FMX_CLASSES);
    const uint64_t first = fm_field(classes, class, field),
                   before = class == 0 ? 0 : fm_field(classes, class - 1, field);
    return (first >= before && first <= most && (class > 0 || first == 0)) ||
           fm_check_fails(checker, FMX_CLASSES, class, "a class's first member out of order");
}

static bool check_class(const struct fm_checker *checker, uint64_t i)
{
    struct fm_view_class found;
    if (!fm_check_text(checker, FMX_CLASSES, i, CLASS_TEXT, false) ||
        (i > 0 && !check_order(checker, FMX_CLASSES, i, false)) ||
        !fm_check_most(checker, FMX_CLASSES, i, CLASS_NAME, count_of(checker, FMX_NAMES) - 1) ||
        !fm_check_most(checker, FMX_CLASSES, i, CLASS_FLAGS, FM_CLASS_SYNTHETIC) ||
        !check_first(checker, i, CLASS_METHOD, count_of(checker, FMX_METHODS)) ||
        !check_first(checker, i, CLASS_FIELD, count_of(checker, FMX_CLASS_FIELDS)))
        return false;
    const framemap_str text = fm_text_field(checker->view, table_of(checker, FMX_CLASSES), i, CLASS_TEXT);
    return (fm_view_class(checker->view, text, &found) && found.number == i) ||
           fm_check_fails(checker, FMX_CLASSES, i, "a class that its hash does not find");
}

static bool check_classes(const struct fm_checker *checker)
{
    const uint64_t classes = count_of(checker, FMX_CLASSES);
    if (classes > 0 && count_of(checker, FMX_NAMES) == 0)
        return fm_check_fails(checker, FMX_CLASSES, 0, "classes without names");
    if (classes == 0 && count_of(checker, FMX_METHODS) + count_of(checker, FMX_CLASS_FIELDS) > 0)
        return fm_check_fails(checker, FMX_METHODS, 0, "members without a class");
    for (uint64_t i = 0; i < classes; i++)
        if (!check_class(checker, i)) return false;
    return check_hash(checker, FMX_CLASS_HASH, classes);
}

/* Checks the strings of the methods and fields of each class. */
static bool check_member_texts(const struct fm_checker *checker, unsigned section, unsigned first_field,
                               bool may_repeat)
{
    const struct fm_packed *classes = table_of(checker, FMX_CLASSES);
    for (uint64_t i = 0, class = 0; i < count_of(checker, section); i++) {
        bool first = false;
        for (; class < classes->count && fm_field(classes, class, first_field) <= i; class ++)
            first = fm_field(classes, class, first_field) == i;
        if (!fm_check_text(checker, section, i, 0, false) ||
            (!first && i > 0 && !check_order(checker, section, i, may_repeat)))
            return false;
    }
    return true;
}

static bool check_methods(const struct fm_checker *checker)
{
    uint64_t at = 0, spans = 0;
    for (uint64_t i = 0; i < count_of(checker, FMX_METHODS); i++)
        if (!fm_check_spans(checker, i, &at, &spans)) return false;
    if (at != table_of(checker, FMX_SPANS)->size)
        return fm_check_fails(checker, FMX_SPANS, at, "bytes outside any method");
    return spans == checker->view->position_count || fm_check_fails(checker, 0, 0, "a wrong number of spans");
}

static bool check_members(const struct fm_checker *checker)
{
    for (uint64_t i = 0; i < count_of(checker, FMX_MEMBERS); i++)
        if (count_of(checker, FMX_NAMES) == 0 ||
            !fm_check_most(checker, FMX_MEMBERS, i, MEMBER_HOLDER, count_of(checker, FMX_NAMES) - 1) ||
            !fm_check_text(checker, FMX_MEMBERS, i, MEMBER_NAME, false) ||
            !fm_check_text(checker, FMX_MEMBERS, i, MEMBER_TYPE, true) ||
            !fm_check_text(checker, FMX_MEMBERS, i, MEMBER_ARGUMENTS, true))
            return false;
    for (uint64_t i = 0; i < count_of(checker, FMX_CLASS_FIELDS); i++)
        if (fm_field(table_of(checker, FMX_CLASS_FIELDS), i, FIELD_MEMBER) >= count_of(checker, FMX_MEMBERS))
            return fm_check_fails(checker, FMX_CLASS_FIELDS, i, "a member that does not exist");
    return true;
}

static bool check_lists(const struct fm_checker *checker)
{
    const struct fm_packed *lists = table_of(checker, FMX_NOTE_LISTS);
    const uint64_t notes = count_of(checker, FMX_NOTES);
    uint64_t expected = 0;
    for (uint64_t i = 0; i < lists->count; i++) {
        const uint64_t first = fm_field(lists, i, LIST_NOTE);
        if (i == 0 ? first != 0 : first <= expected)
            return fm_check_fails(checker, FMX_NOTE_LISTS, i, "a list's first element out of order");
        expected = first;
    }
    return (expected == notes && lists->count != 1) ||
           fm_check_fails(checker, FMX_NOTE_LISTS, 0, "notes outside any list");
}

/* Checks the order of two notes of a list: notes about a call site are last, and the positions of a call site are
 * sorted by line. */
static bool check_note_order(const struct fm_checker *checker, uint64_t i)
{
    const struct fm_packed *notes = table_of(checker, FMX_NOTES);
    const uint32_t before = fm_note_rank((uint32_t)fm_field(notes, i - 1, NOTE_KIND)),
                   rank = fm_note_rank((uint32_t)fm_field(notes, i, NOTE_KIND));
    const int64_t a = fm_unzigzag(fm_field(notes, i - 1, NOTE_FROM)), b = fm_unzigzag(fm_field(notes, i, NOTE_FROM));
    if (before < rank || (before == rank && (rank < 2 || a <= b))) return true;
    return fm_check_fails(checker, FMX_NOTES, i, "a list's notes out of order");
}

static bool check_note_orders(const struct fm_checker *checker)
{
    const struct fm_packed *lists = table_of(checker, FMX_NOTE_LISTS);
    for (uint64_t list = 0; list + 1 < lists->count; list++)
        for (uint64_t i = fm_field(lists, list, LIST_NOTE) + 1; i < fm_field(lists, list + 1, LIST_NOTE); i++)
            if (!check_note_order(checker, i)) return false;
    return true;
}

static bool check_notes(const struct fm_checker *checker)
{
    const struct fm_packed *notes = table_of(checker, FMX_NOTES);
    for (uint64_t i = 0; i < notes->count; i++) {
        const uint64_t kind = fm_field(notes, i, NOTE_KIND);
        if (kind < FM_NOTE_REWRITE || kind > FM_NOTE_HIDDEN)
            return fm_check_fails(checker, FMX_NOTES, i, "an unknown kind of note");
        if (!fm_check_text(checker, FMX_NOTES, i, NOTE_TEXT, true) ||
            !fm_check_most(checker, FMX_NOTES, i, NOTE_FROM, UINT32_MAX) ||
            !fm_check_most(checker, FMX_NOTES, i, NOTE_TO, UINT32_MAX))
            return false;
    }
    return true;
}

bool fm_check_classes(const struct fm_checker *checker)
{
    return check_names(checker) && check_name_hash(checker) && check_classes(checker) &&
           check_member_texts(checker, FMX_METHODS, CLASS_METHOD, false) &&
           check_member_texts(checker, FMX_CLASS_FIELDS, CLASS_FIELD, true) && check_members(checker) &&
           check_lists(checker) && check_notes(checker) && check_note_orders(checker) && check_methods(checker);
}
