/* The heap and arena of the tests in this folder, as a cmocka fixture: the state is a struct names. */
#ifndef FM_TESTS_RESOLVE_DEMANGLE_DEMANGLE_HELP_H
#define FM_TESTS_RESOLVE_DEMANGLE_DEMANGLE_HELP_H

#include "core/heap.h"
#include "tests/testing.h"

struct names {
    struct fm_heap heap;
    struct fm_arena arena;
};

static inline int set_up(void **state)
{
    static struct names names;
    fm_heap_init(&names.heap, NULL, 0);
    fm_arena_init(&names.arena, &names.heap);
    *state = &names;
    return 0;
}

static inline int tear_down(void **state)
{
    struct names *names = *state;
    fm_arena_free(&names->arena);
    return names->heap.used == 0 ? 0 : -1;
}

#endif
