/* What every test program includes: cmocka in its right order, and an allocator that fails when told to. */
#ifndef FM_TESTS_TESTING_H
#define FM_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/heap.h"
#include "core/text/text.h"
#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static inline void assert_str(framemap_str got, const char *wanted)
{
    if (!fm_str_equal(got, framemap_str_of(wanted)))
        fail_msg("got \"%.*s\", wanted \"%s\"", (int)got.size, got.data ? got.data : "", wanted);
}

/* least <= value <= most. cmocka's own word for it is deprecated from 2.0 on, and what replaces it is missing before.
 */
#define assert_between(value, least, most) \
    fm_assert_between((intmax_t)(value), (intmax_t)(least), (intmax_t)(most), __FILE__, __LINE__)
static inline void fm_assert_between(intmax_t value, intmax_t least, intmax_t most, const char *file, int line)
{
    if (value >= least && value <= most) return;
    print_error("%jd is not between %jd and %jd\n", value, least, most);
    _fail(file, line);
}

/* For a test in which threads share what a build without threads does not guard. */
static inline void skip_without_threads(void)
{
#ifndef FRAMEMAP_THREADS
    print_message("skipped: this build has no threads\n");
    skip();
#endif
}

/* Counts calls and bytes, checks that the sizes given back are the sizes taken, and fails one call: the fail_at-th
 * request for memory, from 0; SIZE_MAX: none. One thread. */
struct failing {
    size_t fail_at, requests, blocks;
    uint64_t live_bytes;
};

static inline void *failing_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct failing *failing = context;
    if (new_size == 0) {
        failing->live_bytes -= old_size;
        failing->blocks--;
        free(ptr);
        return NULL;
    }
    if (failing->requests++ == failing->fail_at) return NULL;
    void *moved = realloc(ptr, new_size);
    if (moved == NULL) return NULL;
    if (ptr == NULL) failing->blocks++;
    failing->live_bytes = failing->live_bytes + new_size - (ptr ? old_size : 0);
    return moved;
}

static inline framemap_allocator failing_allocator(struct failing *failing)
{
    return (framemap_allocator){failing_resize, failing};
}

/* The sweeps below. silent: how many requests failed without a word, which is an error where it is NULL. */
static inline size_t sweep_requests(bool (*body)(const framemap_allocator *allocator, void *context), void *context,
                                    size_t *silent)
{
    for (size_t fail_at = 0;; fail_at++) {
        struct failing failing = {.fail_at = fail_at};
        const framemap_allocator allocator = failing_allocator(&failing);
        const bool done = body(&allocator, context);
        if (failing.blocks != 0 || failing.live_bytes != 0)
            fail_msg("request %zu failing: %zu blocks of %llu bytes are lost", fail_at, failing.blocks,
                     (unsigned long long)failing.live_bytes);
        if (failing.requests <= fail_at) {
            assert_true(done);
            return failing.requests;
        }
        if (done && silent == NULL) fail_msg("request %zu failed and nobody said so", fail_at);
        if (done && silent != NULL) ++*silent;
    }
}

/* Runs `body` with its first, second … request for memory failing, until it needs no more. body returns true when it
 * succeeded, false when it reported want of memory; it checks everything else itself and gives back what it took.
 * Returns how many requests it makes. */
static inline size_t sweep_allocations(bool (*body)(const framemap_allocator *allocator, void *context), void *context)
{
    return sweep_requests(body, context, NULL);
}

/* The same for calls that also keep something for later, which is given up for want of memory: the answer is whole all
 * the same, and body checks all of it whenever it succeeds. Some requests must be of either kind. */
static inline size_t sweep_keeping_allocations(bool (*body)(const framemap_allocator *allocator, void *context),
                                               void *context)
{
    size_t silent = 0;
    const size_t requests = sweep_requests(body, context, &silent);
    if (silent == 0 || silent >= requests) fail_msg("of %zu requests %zu failed without a word", requests, silent);
    return requests;
}

#endif
