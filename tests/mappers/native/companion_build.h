/* Builds an index of an image whose companion is in the same sample (corpus/fuzz/companion), and counts requests and
 * warnings.
 */
#ifndef FM_TESTS_MAPPERS_NATIVE_COMPANION_BUILD_H
#define FM_TESTS_MAPPERS_NATIVE_COMPANION_BUILD_H

#include "tests/corpus.h"
#include <framemap/index.h>

/* The three parts of a sample, one after the other: four bytes with the size of the image, the image, the image's
 * companion. */
struct sample {
    framemap_str all, image, companion;
};

static inline struct sample sample_read(const char *name)
{
    struct sample sample;
    char path[512];
    size_t size = 0;
    snprintf(path, sizeof path, CORPUS "fuzz/companion/%s", name);
    sample.all = corpus_read(path);
    for (unsigned i = 0; i < 4; i++) size |= (size_t)(unsigned char)sample.all.data[i] << 8 * i;
    sample.image = fm_str_slice(sample.all, 4, 4 + size);
    sample.companion = fm_str_from(sample.all, 4 + size);
    return sample;
}

/* How requests for companions are to be answered, and which requests were made. */
struct answering {
    framemap_str bytes; /* the companion that is given for each request; absent: requests fail */
    unsigned attempts;  /* how often the companion is given if the same request is repeated; further repetitions fail */
    unsigned requests, warnings;
    framemap_companion_kind kind; /* kind of the last request */
    char name[200], id[80], warning[400];
};

static inline bool answer_request(void *context, const framemap_companion_request *wanted, framemap_str *bytes)
{
    struct answering *answering = context;
    answering->requests++;
    answering->kind = wanted->kind;
    snprintf(answering->name, sizeof answering->name, "%.*s", (int)wanted->name.size,
             wanted->name.size ? wanted->name.data : "");
    snprintf(answering->id, sizeof answering->id, "%.*s", (int)wanted->id.size, wanted->id.size ? wanted->id.data : "");
    *bytes = answering->bytes;
    return answering->bytes.data != NULL && wanted->attempt < answering->attempts;
}

static inline void note_warning(void *context, const framemap_error *warning)
{
    struct answering *answering = context;
    answering->warnings++;
    snprintf(answering->warning, sizeof answering->warning, "%s", warning->message);
}

static inline framemap_status build_answering(framemap_str image, struct answering *answering,
                                              const framemap_allocator *allocator, framemap_bytes *out)
{
    const framemap_build_options options = {.size = sizeof options,
                                            .allocator = allocator,
                                            .warning = note_warning,
                                            .context = answering,
                                            .companion = answer_request,
                                            .companion_context = answering};
    return framemap_index_build(image, framemap_str_of("app"), &options, out, NULL);
}

/* Returns the number of scopes of the index of this image, which includes the scope "split" if debug info for some code
 * is missing. */
static inline uint64_t scopes_of(framemap_str image, struct answering *answering)
{
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_index_info info;
    const framemap_status status = build_answering(image, answering, NULL, &built);
    if (status != FRAMEMAP_OK) {
        assert_int_equal(status, FRAMEMAP_E_EMPTY);
        return 0;
    }
    assert_int_equal(framemap_index_open(framemap_bytes_str(&built), NULL, &index, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_index_verify(index, NULL), FRAMEMAP_OK);
    framemap_index_describe(index, &info);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    return info.scope_count;
}

#endif
