/* Helpers for the tests of sessions that close their index files, and restore frames with cached answers. */
#ifndef FM_TESTS_SESSION_RESTORE_RECALL_HELP_H
#define FM_TESTS_SESSION_RESTORE_RECALL_HELP_H

#include "session/session_state.h"
#include "tests/session/restore/restore_help.h"

/* Opens a session that closes each index when a call ends, and caches answers even of small indexes. */
static inline framemap_session *forgetful_on(const char *path, const framemap_allocator *allocator)
{
    framemap_session *session = open_on(path, allocator);
    if (session) session->cache.budget = 1;
    if (session) session->cache.least_remembered = 0;
    return session;
}

static inline framemap_status restore_as(framemap_session *session, const char *text, framemap_demangle demangle,
                                         struct fm_buf *out, framemap_error *error)
{
    const framemap_restore_options options = {.size = sizeof options, .output = "json", .demangle = demangle};
    framemap_restore_summary summary;
    fm_buf_clear(out);
    return framemap_session_restore(session, framemap_str_of(text), &options, gather, out, &summary, error);
}

static inline void restore(framemap_session *session, const char *text, struct fm_buf *out)
{
    framemap_error error = {0};
    must_ok(restore_as(session, text, FRAMEMAP_DEMANGLE_DEFAULT, out, &error), &error);
}

static inline void assert_same(const struct fm_buf *got, const struct fm_buf *want, const char *what)
{
    if (!fm_str_equal(fm_buf_view(got), fm_buf_view(want)))
        fail_msg("%s:\n%.*s\nwanted\n%.*s", what, (int)got->size, got->data, (int)want->size, want->data);
}

/* Returns how often the session has held an index, from the counts of uses in its cache. */
static inline unsigned held(const framemap_session *session)
{
    unsigned count = 0;
    if (session->cache.uses == NULL) return 0;
    for (size_t i = 0; i < session->catalog.count; i++) {
        const struct fm_entry *entry = session->catalog.entries[i];
        count += fm_use_counts_get(session->cache.uses, fm_hash64(&entry->stamp, sizeof entry->stamp, 0));
    }
    return count;
}

/* Restores each text several times with a session that keeps no index open (forgetful_on). The results must equal those
 * of a session that keeps all indexes open. From the second time on, no index may be opened. first: a text that is
 * restored before; it needs another index, so that the cache starts to count uses. */
static inline void check_recalled(const char *path, const char *first, const char *const *texts, size_t count,
                                  const framemap_demangle *styles, size_t style_count)
{
    framemap_session *plain = session_on(path);
    struct fm_heap heap;
    struct fm_buf got, want;
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    fm_buf_init(&want, &heap);
    for (size_t t = 0; t < count; t++) {
        framemap_session *session = forgetful_on(path, NULL);
        restore(session, first, &got);
        for (size_t round = 0; round < 3; round++) {
            for (size_t s = 0; s < style_count; s++) {
                const unsigned before = held(session);
                must_ok(restore_as(session, texts[t], styles[s], &got, &error), &error);
                must_ok(restore_as(plain, texts[t], styles[s], &want, &error), &error);
                assert_same(&got, &want, texts[t]);
                if (round > 0 && held(session) != before) fail_msg("an index was opened again for\n%s", texts[t]);
            }
        }
        framemap_session_close(session);
    }
    framemap_session_close(plain);
    fm_buf_free(&got);
    fm_buf_free(&want);
}

/* Restores texts one after the other with a session that keeps no index open, so that each text can use the cached
 * answers for earlier texts. All results must equal those of a session that keeps all indexes open. */
static inline void check_in_turn(const char *path, const char *const *all, size_t count)
{
    framemap_session *plain = session_on(path), *session = forgetful_on(path, NULL);
    struct fm_heap heap;
    struct fm_buf got, want;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    fm_buf_init(&want, &heap);
    for (size_t round = 0; round < 3; round++) {
        for (size_t t = 0; t < count; t++) {
            restore(session, all[t], &got);
            restore(plain, all[t], &want);
            assert_same(&got, &want, all[t]);
        }
    }
    framemap_session_close(session);
    framemap_session_close(plain);
    fm_buf_free(&got);
    fm_buf_free(&want);
}

/* A text, and a string that must be in its restored text. */
struct recalled_text {
    const char *path, *text, *piece;
};

static inline bool recall_with(const framemap_allocator *allocator, void *context)
{
    const struct recalled_text *recalled = context;
    framemap_session *session = forgetful_on(recalled->path, allocator);
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    bool done = session != NULL;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t round = 0; round < 3 && done; round++) {
        const framemap_status status = restore_as(session, recalled->text, FRAMEMAP_DEMANGLE_DEFAULT, &out, &error);
        if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
        done = status == FRAMEMAP_OK;
        if (done && fm_str_find(fm_buf_view(&out), framemap_str_of(recalled->piece)) == FM_NOT_FOUND)
            fail_msg("not restored:\n%.*s", (int)out.size, out.data);
    }
    framemap_session_close(session);
    fm_buf_free(&out);
    return done;
}

/* Fails each request for memory in turn. A call must return MEMORY, or restore the text completely. */
static inline void check_short_memory(struct recalled_text *recalled)
{
    sweep_keeping_allocations(recall_with, recalled);
}

/* Replaces an index by another file at a given request for memory. */
struct replacing {
    /* at: number of the request at which the file is replaced; SIZE_MAX: the file is not replaced */
    size_t at, requests;
    const char *path, *with;
};

static inline void *replacing_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct replacing *replacing = context;
    (void)old_size;
    if (new_size > 0 && replacing->requests++ == replacing->at && rename(replacing->with, replacing->path) != 0)
        fail_msg("%s: can't be renamed", replacing->with);
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

#endif
