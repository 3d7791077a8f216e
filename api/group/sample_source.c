/* The sources of a sample set: stacks of texts, and how the profile format of a text is recognised. */
#include <framemap/weight_tree.h>

#include "core/archive/inflate_input.h"
#include "core/error.h"
#include "formats/profiles/profile_format.h"

framemap_status framemap_sample_set_add_traces(framemap_sample_set *set, const framemap_trace *traces, size_t count,
                                               framemap_error *error)
{
    if (set == NULL || (traces == NULL && count))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    for (size_t i = 0; i < count; i++) fm_samples_add_trace(set, &traces[i]);
    return fm_samples_status(set, error);
}

enum { HEAD = 64 << 10 }; /* bytes by which the format is decided */

/* A callback of type fm_inflated that keeps the first HEAD bytes. */
static framemap_status keep_head(void *context, framemap_str text, framemap_error *error)
{
    struct fm_buf *head = context;
    fm_buf_add(head, text.data, text.size);
    return head->failed        ? fm_error_memory(error)
           : head->size < HEAD ? FRAMEMAP_OK
                               : FRAMEMAP_E_LIMIT; /* this error ends the decompression */
}

/* Inflates the start of a text. Damage, or an early end, is not an error: the bytes before it are enough to decide. */
static void inflate_head(framemap_str head, struct fm_heap *heap, struct fm_buf *out)
{
    struct fm_inflater *inflater;
    framemap_error ignored;
    if (fm_inflater_open(head, heap, &inflater, &ignored) != FRAMEMAP_OK) return;
    (void)fm_inflater_feed(inflater, head, keep_head, out, &ignored);
    fm_inflater_free(inflater);
}

static const char *name_of(framemap_str head)
{
    return fm_profile_guess(fm_str_slice(head, 0, HEAD < head.size ? HEAD : head.size))->info.name;
}

const char *framemap_sample_format_of(framemap_str head)
{
    struct fm_heap heap;
    struct fm_buf plain;
    if (head.data == NULL || !fm_is_compressed(head)) return name_of(head);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&plain, &heap);
    inflate_head(fm_str_slice(head, 0, HEAD < head.size ? HEAD : head.size), &heap, &plain);
    const char *name = name_of(fm_buf_view(&plain));
    fm_buf_free(&plain);
    return name;
}
