/* Compiles texts in Breakpad's format for the tests of its mapper, and writes answers as short texts. */
#ifndef FM_TESTS_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_BUILD_H
#define FM_TESTS_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_BUILD_H

#include "tests/testing.h"
#include <framemap/framemap.h>

#define GUID "BBA6FA10B8AAB33D0000000000000000"
#define MODULE "MODULE Linux x86_64 " GUID "0 app\n"

struct said {
    size_t count;
    uint64_t line; /* of the first warning */
    char first[FRAMEMAP_ERROR_MESSAGE_SIZE];
};

static inline void note_warning(void *context, const framemap_error *warning)
{
    struct said *said = context;
    if (said->count++ > 0) return;
    said->line = warning->line;
    snprintf(said->first, sizeof said->first, "%s", warning->message);
}

static inline framemap_status build_text(framemap_str text, bool strict, struct said *said, framemap_bytes *built,
                                         framemap_error *error)
{
    const framemap_build_options options = {
        .size = sizeof options, .mapper = "breakpad", .strict = strict, .warning = note_warning, .context = said};
    *said = (struct said){.count = 0};
    return framemap_index_build(text, framemap_str_of("app.sym"), &options, built, error);
}

/* Writes the frames at an address, innermost first: "f a.c:2, g a.c:7". Other names of the function follow: "f =g". */
static inline void answer_text(framemap_index *index, uint64_t address, char *out, size_t room)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_scratch *scratch = NULL;
    framemap_frame frame;
    size_t size = 0;
    query.position = address;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    assert_int_equal(framemap_scratch_create(NULL, &scratch, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_resolve(index, &query, scratch, &frame, NULL), FRAMEMAP_OK);
    out[0] = '\0';
    for (size_t i = 0; i < frame.restored.count && size < room; i++) {
        const framemap_frame *one = &frame.restored.frames[i];
        size += (size_t)snprintf(out + size, room - size, "%s%.*s", i > 0 ? ", " : "", (int)one->function.size,
                                 one->function.size ? one->function.data : "");
        if (one->file.size > 0 && size < room)
            size += (size_t)snprintf(out + size, room - size, " %.*s:%u", (int)one->file.size, one->file.data,
                                     (unsigned)one->line);
    }
    for (size_t i = 0; i < frame.alias_count && size < room; i++)
        size += (size_t)snprintf(out + size, room - size, " =%.*s", (int)frame.aliases[i].size, frame.aliases[i].data);
    framemap_scratch_free(scratch);
}

#endif
