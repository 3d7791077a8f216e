/* Opens an index for queries, for the tests of fm_resolve. */
#ifndef FM_TESTS_RESOLVE_RESOLVE_HELP_H
#define FM_TESTS_RESOLVE_RESOLVE_HELP_H

#include "resolve/resolve.h"
#include "tests/session/session_help.h"

/* An opened index, and the memory that it uses. */
struct resolver {
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_view *view;
    framemap_bytes bytes;
};

/* Opens an index. The resolver owns the bytes. */
static inline void resolver_open(struct resolver *resolver, framemap_bytes bytes)
{
    framemap_error error = {0};
    resolver->bytes = bytes;
    fm_heap_init(&resolver->heap, NULL, 0);
    fm_arena_init(&resolver->arena, &resolver->heap);
    must_ok(fm_view_open(framemap_bytes_str(&resolver->bytes), &resolver->heap, &resolver->view, &error), &error);
}

static inline void resolver_close(struct resolver *resolver)
{
    fm_view_close(resolver->view);
    fm_arena_free(&resolver->arena);
    assert_true(resolver->heap.used == 0);
    framemap_bytes_free(&resolver->bytes);
}

static inline framemap_frame resolve(struct resolver *resolver, const framemap_query *query)
{
    framemap_frame frame;
    framemap_error error = {0};
    must_ok(fm_resolve(resolver->view, query, &resolver->arena, &frame, &error), &error);
    return frame;
}

#endif
