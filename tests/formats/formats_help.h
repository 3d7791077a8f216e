/* What the tests of formats share: a text parsed with all its memory, and what was printed from it. */
#ifndef FM_TESTS_FORMATS_HELP_H
#define FM_TESTS_FORMATS_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "formats/format.h"

struct parsed {
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_trace *traces;
    size_t count;
    framemap_status status;
    framemap_error error;
};

static inline void parse_as(struct parsed *parsed, framemap_str text, const char *format, const framemap_allocator *hook)
{
    *parsed = (struct parsed){.traces = NULL};
    fm_heap_init(&parsed->heap, hook, 0);
    fm_arena_init(&parsed->arena, &parsed->heap);
    parsed->status = fm_formats_parse(text, format, &parsed->arena, &parsed->traces, &parsed->count, &parsed->error);
}
static inline void parse(struct parsed *parsed, framemap_str text) { parse_as(parsed, text, NULL, NULL); }
static inline void parsed_free(struct parsed *parsed) { fm_arena_free(&parsed->arena); }

static inline bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }
/* Into *out, which the caller frees. */
static inline framemap_status print_as(struct parsed *parsed, framemap_str text, const char *format, struct fm_buf *out)
{
    fm_buf_init(out, &parsed->heap);
    return fm_formats_print(text, parsed->traces, parsed->count, format, &parsed->heap, gather, out, &parsed->error);
}

/* Gives a frame a chain as if it had been restored. */
static inline void restore(framemap_frame *frame, const framemap_frame *chain, size_t count)
{
    frame->status = chain[0].file.size ? FRAMEMAP_FRAME_OK : FRAMEMAP_FRAME_SYMBOL;
    frame->restored = (framemap_frame_list){chain, count};
}

static inline framemap_str text_of(const char *text) { return fm_str(text, strlen(text)); }

/* Equal, or a message that names the row. */
static inline void same_text(const char *row, const char *what, framemap_str got, framemap_str want)
{
    if (fm_str_equal(got, want)) return;
    fail_msg("%s: %s is\n[%.*s], not\n[%.*s]", row, what, (int)got.size, got.data ? got.data : "", (int)want.size,
             want.data ? want.data : "");
}
static inline void same_number(const char *row, const char *what, uint64_t got, uint64_t want)
{
    if (got != want) fail_msg("%s: %s is 0x%llx, not 0x%llx", row, what, (unsigned long long)got, (unsigned long long)want);
}

#endif
