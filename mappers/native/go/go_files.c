/* Numbers the files of one unit of a Go program. See go_files.h. */
#include "mappers/native/go/go_files.h"

framemap_str fm_go_budget_take(struct fm_go_budget *budget, framemap_str text)
{
    if (text.size > budget->left) {
        budget->is_cut = true;
        return (framemap_str){NULL, 0};
    }
    budget->left -= text.size;
    return text;
}

void fm_go_files_begin(struct fm_go_files *files, struct fm_heap *heap, const struct fm_go_table *table,
                       const struct fm_dw_visitor *to, struct fm_go_budget *budget)
{
    *files = (struct fm_go_files){.heap = heap, .table = table, .to = to, .budget = budget};
    fm_table_init(&files->numbers, heap);
}

void fm_go_files_end(struct fm_go_files *files)
{
    fm_table_free(&files->numbers);
    fm_heap_free(files->heap, files->offsets, files->capacity * sizeof *files->offsets);
}

static bool has_offset(const void *context, uint32_t number, const void *offset)
{
    const struct fm_go_files *files = context;
    return files->offsets[number] == *(const uint32_t *)offset;
}

bool fm_go_files_number(struct fm_go_files *files, uint32_t offset, uint32_t *out)
{
    const uint64_t hash = fm_hash_word(offset, fm_hash_key(files->table));
    const uint32_t next = (uint32_t)files->count;

    *out = FM_NONE;
    if (offset == FM_GO_NO_FILE) return true;
    if (!fm_table_reserve(&files->numbers, files->count + 1) ||
        !FM_GROW(files->heap, files->offsets, files->capacity, files->count + 1))
        return false;
    *out = fm_table_find_or_put(&files->numbers, hash, has_offset, files, &offset, next);
    if (*out != next) return true;
    files->offsets[files->count++] = offset;
    return files->to->file(files->to->context, next,
                           fm_go_budget_take(files->budget, fm_go_path(files->table, offset)));
}
