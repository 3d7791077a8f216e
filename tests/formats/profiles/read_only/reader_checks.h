/* Checks for all readers of profiles: invalid texts are refused; each prefix of a valid text is read or refused; the
 * failure of each allocation is reported. */
#ifndef FM_TESTS_READER_CHECKS_H
#define FM_TESTS_READER_CHECKS_H

#include "tests/formats/profiles/sample_text.h"

struct refused_case {
    const char *name, *text;
    size_t size; /* size of the text; 0: the text is NUL-terminated */
    framemap_status status;
    const char *at; /* text at which the error is reported; NULL: the offset of the error is not checked */
};

/* Reads a copy of a text in a memory block of its size, so that sanitizers detect a read past its end. */
static inline framemap_status read_copy(framemap_str text, const char *format, const framemap_allocator *allocator,
                                        framemap_error *error)
{
    const framemap_sample_options options = {.size = sizeof options, .allocator = allocator};
    framemap_sample_set *set = NULL;
    char *copy = malloc(text.size ? text.size : 1);
    assert_non_null(copy);
    if (text.size) memcpy(copy, text.data, text.size);
    framemap_status status = framemap_sample_set_open(&options, &set, error);
    if (status == FRAMEMAP_OK) status = framemap_sample_set_read(set, (framemap_str){copy, text.size}, format, error);
    framemap_sample_set_close(set);
    free(copy);
    return status;
}

static inline void assert_refused(const struct refused_case *cases, size_t count, const char *format)
{
    for (size_t i = 0; i < count; i++) {
        framemap_error error = {0};
        const framemap_str text =
            cases[i].size ? (framemap_str){cases[i].text, cases[i].size} : framemap_str_of(cases[i].text);
        print_message("%s\n", cases[i].name);
        assert_int_equal(read_copy(text, format, NULL, &error), cases[i].status);
        if (cases[i].at == NULL) continue;
        assert_true(error.has_offset && error.offset <= text.size);
        const size_t size = strlen(cases[i].at);
        const bool same = error.offset + size <= text.size && memcmp(text.data + error.offset, cases[i].at, size) == 0;
        if (!same) print_message("%s, at byte %" PRIu64 "\n", error.message, error.offset);
        assert_true(same);
    }
}

/* Each prefix of a text is read, or refused as damaged. */
static inline void assert_prefixes(framemap_str text, const char *format)
{
    for (size_t size = 0; size < text.size; size++) {
        const framemap_status status = read_copy((framemap_str){text.data, size}, format, NULL, NULL);
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_FORMAT);
    }
}

struct failing_allocator {
    size_t left;
};

static inline void *failing_alloc(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct failing_allocator *failing = context;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    if (failing->left == 0) return NULL;
    failing->left--;
    return realloc(ptr, new_size);
}

/* Fails each allocation in turn; the result must be MEMORY. */
static inline void assert_allocations(framemap_str text, const char *format)
{
    bool done = false;
    for (size_t left = 0; !done; left++) {
        struct failing_allocator failing = {left};
        const framemap_allocator allocator = {failing_alloc, &failing};
        const framemap_status status = read_copy(text, format, &allocator, NULL);
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
        assert_true(left < 5000);
        done = status == FRAMEMAP_OK;
    }
}

#endif
