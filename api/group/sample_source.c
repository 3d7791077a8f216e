/* The sources of a sample set: stacks of texts, and how the profile format of a text is recognised. */
#include <framemap/weight_tree.h>

#include "core/archive/inflate_input.h"
#include "core/error.h"
#include "core/limits.h"
#include "formats/profiles/profile_format.h"

framemap_status framemap_sample_set_add_traces(framemap_sample_set *set, const framemap_trace *traces, size_t count,
                                               framemap_error *error)
{
    if (set == NULL || (traces == NULL && count))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    for (size_t i = 0; i < count; i++) fm_samples_add_trace(set, &traces[i]);
    return fm_samples_status(set, error);
}

#define HEAD ((size_t)64 << 10) /* size of the start of a text, which is enough to recognise most formats */

/* The start of a text that is being inflated. */
struct head {
    struct fm_buf text;
    size_t most; /* number of bytes to keep */
};

/* A callback of type fm_inflated that keeps the first bytes. */
static framemap_status keep_head(void *context, framemap_str text, framemap_error *error)
{
    struct head *head = context;
    fm_buf_add(&head->text, text.data, text.size);
    return head->text.failed              ? fm_error_memory(error)
           : head->text.size < head->most ? FRAMEMAP_OK
                                          /* returning this error ends the decompression, since enough bytes are kept */
                                          : FRAMEMAP_E_LIMIT;
}

/* Inflates the start of a text. Damage, or an early end, is not an error: the bytes before it are enough to decide. */
static void inflate_head(framemap_str bytes, struct fm_heap *heap, struct head *out)
{
    struct fm_inflater *inflater;
    framemap_error ignored;
    fm_buf_clear(&out->text);
    if (fm_inflater_open(bytes, heap, &inflater, &ignored) != FRAMEMAP_OK) return;
    (void)fm_inflater_feed(inflater, bytes, keep_head, out, &ignored);
    fm_inflater_free(inflater);
}

/* Whether more bytes of a text can change which format it has: the members that show the format of a JSON document may
 * come late. */
static bool is_undecided(const struct head *head, const char *name)
{
    const framemap_str text = fm_buf_view(&head->text);
    return strcmp(name, "traces") == 0 && text.size >= head->most &&
           (fm_profile_json_begins(text, '{') || fm_profile_json_begins(text, '['));
}

static const char *compressed_name(framemap_str bytes)
{
    struct fm_heap heap;
    struct head head = {.most = HEAD};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&head.text, &heap);
    inflate_head(bytes, &heap, &head);
    const char *name = fm_profile_name_of(fm_buf_view(&head.text));
    if (is_undecided(&head, name)) {
        head.most = FM_LIMIT_DOCUMENT;
        inflate_head(bytes, &heap, &head);
        name = fm_profile_name_of(fm_buf_view(&head.text));
    }
    fm_buf_free(&head.text);
    return name;
}

const char *framemap_sample_format_of(framemap_str head)
{
    if (head.data == NULL) return fm_profile_name_of(fm_str("", 0));
    return fm_is_compressed(head) ? compressed_name(head) : fm_profile_name_of(head);
}
