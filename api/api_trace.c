/* Public calls that parse a text to traces and print traces. */
#include "api/trace_owner.h"

#include <framemap/session.h>

#include "api/option_structs.h"
#include "core/error.h"
#include "formats/format_registry.h"

static framemap_status new_owner(const framemap_allocator *allocator, uint64_t max_memory, struct fm_trace_owner **out,
                                 framemap_error *error)
{
    struct fm_heap heap;
    fm_heap_init(&heap, allocator, 0);
    struct fm_trace_owner *owner = fm_heap_zalloc(&heap, 1, sizeof *owner);
    if (owner == NULL) return fm_error_memory(error);
    fm_heap_init(&owner->heap, allocator, max_memory);
    fm_arena_init(&owner->arena, &owner->heap);
    *out = owner;
    return FRAMEMAP_OK;
}

framemap_status framemap_trace_parse(framemap_str text, const framemap_parse_options *options, framemap_trace_list *out,
                                     framemap_error *error)
{
    framemap_parse_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_trace_list list = {NULL, 0, NULL};
    struct fm_trace_owner *owner = NULL;
    status = new_owner(given.allocator, given.max_memory, &owner, error);
    if (status != FRAMEMAP_OK) return status;
    list.owner = owner;
    status = fm_formats_parse(text, given.format, &owner->arena, &list.traces, &list.count, error);
    status = fm_heap_fault(&owner->heap, status, error);
    if (status == FRAMEMAP_OK) {
        *out = list;
    } else {
        framemap_trace_list_free(&list);
    }
    return status;
}

void framemap_trace_list_free(framemap_trace_list *list)
{
    if (list == NULL) return;
    struct fm_trace_owner *owner = list->owner;
    *list = (framemap_trace_list){NULL, 0, NULL};
    if (owner == NULL) return;
    fm_arena_free(&owner->arena);
    struct fm_heap heap;
    fm_heap_init(&heap, &owner->heap.hook, 0);
    fm_heap_free(&heap, owner, sizeof *owner);
}

framemap_status framemap_trace_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format,
                                     framemap_write write, void *context, framemap_error *error)
{
    if (write == NULL || (traces == NULL && count) || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    return fm_formats_print(text, traces, count, format, &heap, write, context, error);
}

const framemap_format_info *const *framemap_format_list(size_t *count) { return fm_format_infos(count); }
