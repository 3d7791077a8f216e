/* Helpers of the tests in this folder: mappings and queries as text, and answers as one line of text. */
#ifndef FM_TESTS_RESOLVE_JAVA_JAVA_HELP_H
#define FM_TESTS_RESOLVE_JAVA_JAVA_HELP_H

#include "core/text/buffer.h"
#include "resolve/java/java.h"
#include "tests/testing.h"

#include <framemap/framemap.h>

struct mapped {
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_view *view;
    framemap_bytes bytes;
};

static inline void open_mapping(struct mapped *mapped, const char *mapping, const char *mapper)
{
    framemap_error error = {0};
    const framemap_build_options options = {.size = sizeof options, .mapper = mapper};
    *mapped = (struct mapped){.bytes = {NULL, 0, {NULL, NULL}}};
    framemap_status status = framemap_index_build(framemap_str_of(mapping), framemap_str_of("mapping.txt"), &options,
                                                  &mapped->bytes, &error);
    if (status != FRAMEMAP_OK) fail_msg("%s\n%s", error.message, mapping);
    fm_heap_init(&mapped->heap, NULL, 0);
    fm_arena_init(&mapped->arena, &mapped->heap);
    status = fm_view_open(framemap_bytes_str(&mapped->bytes), &mapped->heap, &mapped->view, &error);
    if (status != FRAMEMAP_OK) fail_msg("%s", error.message);
}

static inline void close_mapping(struct mapped *mapped)
{
    fm_view_close(mapped->view);
    fm_arena_free(&mapped->arena);
    assert_true(mapped->heap.used == 0);
    framemap_bytes_free(&mapped->bytes);
}

/* Resolves a frame "a.b.c:12" or "a.b.c", which is class, method and line. *state is passed on from frame to frame;
 * state NULL: the frame is not in a stack. */
static inline struct fm_java_answer ask_java(struct mapped *mapped, const char *frame, bool verbose,
                                             struct fm_java_state *state)
{
    framemap_error error = {0};
    framemap_str text = framemap_str_of(frame);
    struct fm_java_query query = {.verbose = verbose, .state = state};
    struct fm_java_answer answer;
    size_t colon = fm_str_find_byte(text, ':');
    if (colon != FM_NOT_FOUND) {
        query.has_line = true;
        query.line = (int32_t)strtol(frame + colon + 1, NULL, 10);
        text = fm_str_slice(text, 0, colon);
    }
    size_t dot = fm_str_find_last_byte(text, '.');
    query.class_name = fm_str_slice(text, 0, dot);
    query.method = fm_str_from(text, dot + 1);
    if (fm_java_resolve(mapped->view, &query, &mapped->arena, &answer, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", frame, error.message);
    if (state) *state = answer.state;
    return answer;
}

/* Writes one frame: "o.p.Cls.m:3"; verbose "o.p.Cls.void m(int):3"; if only the class is known, "~o.p.Cls.a:3". */
static inline void tell_frame(const struct fm_java_frame *frame, bool verbose, struct fm_buf *out)
{
    if (!frame->found) fm_buf_byte(out, '~');
    fm_buf_str(out, frame->class_name);
    fm_buf_byte(out, '.');
    if (verbose && frame->found) fm_buf_printf(out, "%.*s ", (int)frame->type.size, frame->type.data);
    fm_buf_str(out, frame->method);
    if (verbose && frame->found)
        fm_buf_printf(out, "(%.*s)", (int)frame->arguments.size, frame->arguments.size ? frame->arguments.data : "");
    if (frame->line_kind == FM_JAVA_LINE_NUMBER && frame->line > 0) fm_buf_printf(out, ":%d", (int)frame->line);
}

/* Writes frames separated by " / ", and alternatives by " | "; "-" if no frame is shown. The buffer uses the arena's
 * heap, and is freed with fm_buf_free. */
static inline void tell(const struct fm_java_answer *answer, bool verbose, struct fm_buf *out)
{
    for (size_t i = 0; i < answer->chain_count; i++) {
        if (i) fm_buf_str(out, FM_STR(" | "));
        for (size_t k = 0; k < answer->chains[i].count; k++) {
            if (k) fm_buf_str(out, FM_STR(" / "));
            tell_frame(&answer->chains[i].frames[k], verbose, out);
        }
    }
    if (answer->chain_count == 0) fm_buf_byte(out, '-');
}

static inline void expect_state(struct mapped *mapped, const char *why, const char *frame, bool verbose,
                                struct fm_java_state *state, const char *wanted)
{
    struct fm_java_answer answer = ask_java(mapped, frame, verbose, state);
    struct fm_buf text;
    fm_buf_init(&text, &mapped->heap);
    tell(&answer, verbose, &text);
    if (!fm_str_equal(fm_buf_view(&text), framemap_str_of(wanted)))
        fail_msg("%s: %s\n     got %.*s\n  wanted %s", why, frame, (int)text.size, text.data, wanted);
    fm_buf_free(&text);
}

static inline void expect(struct mapped *mapped, const char *why, const char *frame, bool verbose, const char *wanted)
{
    expect_state(mapped, why, frame, verbose, NULL, wanted);
}

#endif
