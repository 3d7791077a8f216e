/* Included by every test program: cmocka with the headers it needs, and an allocator that fails on demand. */
#ifndef FM_TESTS_TESTING_H
#define FM_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/heap.h"
#include "core/sanitizer.h"
#include "core/text/text.h"
#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Step of loops over every byte, bit, allocation or row: only each TEST_STEP-th element is tried. It is 1 in normal
 * builds for this machine. With AddressSanitizer or under an emulator (FM_TEST_EMULATED) it is greater, because the
 * loops take ten times as long. */
#ifdef FM_TEST_EMULATED
enum { TEST_STEP = 3 };
#else
enum { TEST_STEP = FM_HAS_ASAN ? 3 : 1 };
#endif

static inline void assert_str(framemap_str got, const char *wanted)
{
    if (!fm_str_equal(got, framemap_str_of(wanted)))
        fail_msg("got \"%.*s\", wanted \"%s\"", (int)got.size, got.data ? got.data : "", wanted);
}

/* Asserts least <= value <= most. Tests must not use cmocka's assert_in_range, so it is undefined here: it is
 * deprecated since version 2.0, and earlier versions lack its replacement. */
#undef assert_in_range
#define assert_between(value, least, most) \
    fm_assert_between((intmax_t)(value), (intmax_t)(least), (intmax_t)(most), __FILE__, __LINE__)
static inline void fm_assert_between(intmax_t value, intmax_t least, intmax_t most, const char *file, int line)
{
    if (value >= least && value <= most) return;
    print_error("%jd is not between %jd and %jd\n", value, least, most);
    _fail(file, line);
}

/* Skips a test in which threads share objects that are not guarded in a build without threads. */
static inline void skip_without_threads(void)
{
#ifndef FRAMEMAP_THREADS
    print_message("skipped: this build has no threads\n");
    skip();
#endif
}

/* An allocator that counts requests and bytes in use, and fails the request whose number, counted from 0, is fail_at;
 * SIZE_MAX: no request fails. For one thread at a time. */
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

/* Implements the two functions below. silent: set to the number of failed requests that `body` did not report; NULL:
 * each such request is an error. */
static inline size_t sweep_requests(bool (*body)(const framemap_allocator *allocator, void *context), void *context,
                                    size_t *silent)
{
    for (size_t fail_at = 0;; fail_at += TEST_STEP) {
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

/* Runs `body` repeatedly, with its first, second, … memory request failing (or only each TEST_STEP-th), until a run has
 * no failed request. body returns true if it succeeded, and false if it reported that it was out of memory. It checks
 * everything else itself, and must free all that it allocated. Returns the number of requests. */
static inline size_t sweep_allocations(bool (*body)(const framemap_allocator *allocator, void *context), void *context)
{
    return sweep_requests(body, context, NULL);
}

/* Does what sweep_allocations does, for functions that also fill a cache. If memory is short, such a function skips the
 * cache without an error: the result is still complete, and body checks all of it whenever it succeeds. Some failed
 * requests must be reported as errors, and some must go unnoticed, unless TEST_STEP leaves out requests. */
static inline size_t sweep_keeping_allocations(bool (*body)(const framemap_allocator *allocator, void *context),
                                               void *context)
{
    size_t silent = 0;
    const size_t requests = sweep_requests(body, context, &silent);
    if ((silent == 0 && TEST_STEP == 1) || silent >= requests)
        fail_msg("of %zu requests %zu failed without a word", requests, silent);
    return requests;
}

#endif
