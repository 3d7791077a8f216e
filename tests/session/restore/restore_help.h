/* Helpers that restore whole texts with a session and compare the results with the expected ones. */
#ifndef FM_TESTS_SESSION_RESTORE_RESTORE_HELP_H
#define FM_TESTS_SESSION_RESTORE_RESTORE_HELP_H

#include "core/text/buffer.h"
#include "tests/session/session_help.h"

/* Opens a session on the files in a folder, or on one file; path NULL: on no file. Returns NULL if out of memory. */
static inline framemap_session *open_on(const char *path, const framemap_allocator *allocator)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = path != NULL,
                                              .cache_path = "",
                                              .keep_sources = true};
    if (framemap_session_open(&options, &session, &error) != FRAMEMAP_OK)
        assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    return session;
}

static inline framemap_session *session_on(const char *path)
{
    framemap_session *session = open_on(path, NULL);
    if (session == NULL) fail_msg("%s: no session", path);
    return session;
}

/* A text, the expected restored text, and the expected numbers of frames and of restored frames. */
struct restore_row {
    const char *why, *text, *want; /* want: NULL if the text stays unchanged */
    unsigned frames, restored;
    const char *reason; /* part of the first reason that any of the frames has */
};

static inline const char *first_reason(const framemap_trace_list *list)
{
    for (size_t t = 0; t < list->count; t++)
        for (size_t f = 0; f < list->traces[t].frame_count; f++)
            if (list->traces[t].frames[f].reason) return list->traces[t].frames[f].reason;
    return NULL;
}

static inline void check_restored(framemap_session *session, const struct restore_row *row)
{
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_restore_summary summary;
    framemap_trace_list list;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must_ok(framemap_session_restore(session, framemap_str_of(row->text), NULL, gather, &out, &summary, &error),
            &error);
    if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(row->want ? row->want : row->text)))
        fail_msg("%s: got\n%.*s", row->why, (int)out.size, out.data);
    if (summary.frames != row->frames || summary.restored != row->restored ||
        summary.unmapped != row->frames - row->restored)
        fail_msg("%s: %u of %u frames are restored", row->why, (unsigned)summary.restored, (unsigned)summary.frames);
    must_ok(framemap_trace_parse(framemap_str_of(row->text), NULL, &list, &error), &error);
    must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
    const char *reason = first_reason(&list);
    if (row->reason ? !reason || !strstr(reason, row->reason) : reason != NULL)
        fail_msg("%s: the reason is %s", row->why, reason ? reason : "none");
    framemap_trace_list_free(&list);
    fm_buf_free(&out);
}

static inline void check_all_restored(framemap_session *session, const struct restore_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) check_restored(session, &rows[i]);
}

#endif
