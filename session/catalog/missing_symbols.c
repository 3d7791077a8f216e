/* The list of images without symbols; see missing_symbols.h. */
#include "session/catalog/missing_symbols.h"

#include "core/limits.h"
#include "core/text/text.h"

void fm_missing_init(struct fm_missing_list *list, struct fm_heap *heap)
{
    *list = (struct fm_missing_list){.heap = heap, .key = fm_hash_key(list)};
    fm_arena_init(&list->arena, heap);
    fm_table_init(&list->table, heap);
}

void fm_missing_free(struct fm_missing_list *list)
{
    fm_heap_free(list->heap, list->rows, list->capacity * sizeof *list->rows);
    fm_table_free(&list->table);
    fm_arena_free(&list->arena);
}

static bool row_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_missing_list *list = context;
    const framemap_missing *row = &list->rows[number], *want = key;
    return fm_str_equal(row->id, want->id) && fm_str_equal(row->name, want->name) &&
           fm_str_equal(row->arch, want->arch);
}

static bool is_full(const struct fm_missing_list *list, const framemap_missing *image)
{
    const size_t room = list->arena.total < FM_LIMIT_MISSING_BYTES ? FM_LIMIT_MISSING_BYTES - list->arena.total : 0;
    if (list->count >= FM_LIMIT_MISSING) return true;
    const framemap_str texts[] = {image->name, image->id, image->arch, framemap_str_of(image->reason)};
    size_t taken = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].size > room - taken) return true;
        taken += texts[i].size;
    }
    return false;
}

static void count_other(struct fm_missing_list *list, const framemap_missing *image)
{
    list->others.frames += image->frames;
    list->others.reason = "more images and scripts, which are not listed";
    list->others.kind = image->kind;
}

/* Copies a reason, since the strings of a call are freed before the list is read. Most reasons equal the reason of the
 * previous row; the copy in that row is then used again. */
static bool keep_reason(struct fm_missing_list *list, const char *reason, const char **out)
{
    framemap_str copy = {NULL, 0};
    const char *last = list->count > 0 ? list->rows[list->count - 1].reason : NULL;
    *out = last;
    if (reason && last && strcmp(reason, last) == 0) return true;
    if (reason && !fm_arena_str(&list->arena, framemap_str_of(reason), &copy)) return false;
    *out = copy.data;
    return true;
}

bool fm_missing_add(struct fm_missing_list *list, const framemap_missing *image)
{
    const uint64_t hash = fm_hash_text(image->name, fm_hash_text(image->id, list->key));
    uint32_t found = fm_table_find(&list->table, hash, row_equal, list, image);
    if (found != UINT32_MAX) {
        list->rows[found].frames += image->frames;
        return true;
    }
    if (is_full(list, image)) {
        count_other(list, image);
        return true;
    }
    framemap_missing row = *image;
    if (!FM_GROW(list->heap, list->rows, list->capacity, list->count + 1) ||
        !fm_arena_str(&list->arena, image->name, &row.name) || !fm_arena_str(&list->arena, image->id, &row.id) ||
        !fm_arena_str(&list->arena, image->arch, &row.arch) || !keep_reason(list, image->reason, &row.reason))
        return false;
    list->rows[list->count] = row;
    if (!fm_table_add(&list->table, hash, (uint32_t)list->count)) return false;
    list->count++;
    return true;
}

void fm_missing_each(const struct fm_missing_list *list, fm_missing_visitor *visit, void *context)
{
    static const framemap_kind kinds[] = {FRAMEMAP_KIND_NATIVE, FRAMEMAP_KIND_DART, FRAMEMAP_KIND_JAVA,
                                          FRAMEMAP_KIND_JS};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (size_t k = 0; k <= KINDS; k++) {
        for (size_t i = 0; i < list->count; i++) {
            size_t kind = 0;
            while (kind < KINDS && kinds[kind] != list->rows[i].kind) kind++;
            if (kind == k) visit(context, &list->rows[i]);
        }
    }
}

void fm_missing_visit(struct fm_missing_list *list, fm_missing_visitor *visit, void *context)
{
    struct fm_heap *heap = list->heap;
    if (visit) fm_missing_each(list, visit, context);
    if (list->others.frames > 0 && visit) visit(context, &list->others);
    fm_missing_free(list);
    fm_missing_init(list, heap);
}
