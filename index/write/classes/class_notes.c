/* Sorts the notes of a list for the file: the notes about a call site come last, and its positions are sorted by
 * line. */
#include "core/text/merge_sort.h"
#include "index/write/model/builder_model.h"

static struct fm_sort_item item_of(const struct fm_note *note, size_t number)
{
    const uint64_t from = note->kind == FM_NOTE_POSITION ? (uint64_t)((int64_t)note->from - INT32_MIN) : 0;
    return (struct fm_sort_item){.key = from, .group = fm_note_rank(note->kind), .id = (uint32_t)number};
}

static bool is_in_order(const struct fm_note *notes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct fm_sort_item a = item_of(&notes[i - 1], i - 1), b = item_of(&notes[i], i);
        if (a.group > b.group || (a.group == b.group && a.key > b.key)) return false;
    }
    return true;
}

static bool sort_list(struct fm_heap *heap, struct fm_note *notes, size_t count)
{
    struct fm_sort_item *items = fm_heap_zalloc(heap, count, sizeof *items);
    struct fm_note *copy = fm_heap_zalloc(heap, count, sizeof *copy);
    bool done = items != NULL && copy != NULL;
    for (size_t i = 0; done && i < count; i++) items[i] = item_of(&notes[i], i);
    done = done && fm_sort(heap, items, count, NULL, NULL);
    if (done) {
        memcpy(copy, notes, count * sizeof *copy);
        for (size_t i = 0; i < count; i++) notes[i] = copy[items[i].id];
    }
    fm_heap_free(heap, items, items ? count * sizeof *items : 0);
    fm_heap_free(heap, copy, copy ? count * sizeof *copy : 0);
    return done;
}

bool fm_order_notes(struct fm_class_form *form, struct fm_heap *heap)
{
    for (size_t i = 0; i < form->list_count; i++) {
        struct fm_note *notes = form->notes + form->lists[i].first;
        if (!is_in_order(notes, form->lists[i].count) && !sort_list(heap, notes, form->lists[i].count)) return false;
    }
    return true;
}
