/* Passes any bytes as an index to the public functions: open from memory and from a file, describe, verify, query
 * once and in a batch, dump. The first byte of the input has flags: bit 0, correct the checksums; bits 1 and 2, the
 * style of names; bit 3, the query has no position; bit 4, context lines. Then follow a scope, the size of the
 * index, the index, and the rest of the query with its positions. Properties: repeated queries give the same
 * answers; short answers agree with whole ones; the memory used stays below the limit, and all of it is freed. */
#include "core/archive/inflate_input.h"
#include "core/archive/kernel_image.h"
#include "fuzz/support/harness_help.h"
#include "fuzz/support/seal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POSITIONS = 40, MOST_OUTPUT = 1 << 22, CEILING = 256 << 20 };

struct questions {
    framemap_query query;
    uint64_t positions[MOST_POSITIONS];
    size_t count;
};

static bool same(framemap_str a, framemap_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* Returns a hash of an answer. Computing it reads every byte of the answer, so that a sanitizer finds invalid
 * memory. */
static uint64_t sum_of(const framemap_frame_list *chain)
{
    struct fuzz_output sum = {.most = SIZE_MAX};
    for (size_t i = 0; i < chain->count; i++) {
        const framemap_frame *frame = &chain->frames[i];
        const framemap_str texts[] = {frame->class_name, frame->function,      frame->symbol, frame->name,
                                      frame->file,       frame->declared_file, frame->context};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) fuzz_write(&sum, texts[t].data, texts[t].size);
        for (size_t a = 0; a < frame->alias_count; a++)
            fuzz_write(&sum, frame->aliases[a].data, frame->aliases[a].size);
        sum.hash += frame->line + ((uint64_t)frame->column << 32) + frame->declared_line;
    }
    return sum.hash + chain->count;
}

static framemap_status ask(const framemap_index *index, const struct questions *questions, uint64_t position,
                           framemap_scratch *scratch, framemap_frame *frame, uint64_t *sum)
{
    framemap_query query = questions->query;
    framemap_error error = {0};
    framemap_java_state state = {.has_outline = false};
    query.position = position;
    if (position & 1) query.java = &state;
    const framemap_status status = framemap_resolve(index, &query, scratch, frame, &error);
    must(status == FRAMEMAP_OK || error.message[0] != 0);
    must(status != FRAMEMAP_E_INTERNAL);
    if (status != FRAMEMAP_OK) return status;
    must(framemap_frame_status_name(frame->status)[0] != 0 && framemap_kind_name(frame->kind)[0] != 0 &&
         framemap_match_name(frame->matched_by) != NULL && framemap_why_name(frame->why) != NULL);
    *sum = sum_of(&frame->restored);
    for (size_t i = 0; i < frame->alternative_count; i++) *sum += sum_of(&frame->alternatives[i]);
    return FRAMEMAP_OK;
}

static void ask_each(const framemap_index *index, const struct questions *questions, framemap_scratch *scratch)
{
    for (size_t i = 0; i < questions->count; i++) {
        framemap_frame frame;
        uint64_t sum = 0, again = 0;
        const framemap_status status = ask(index, questions, questions->positions[i], scratch, &frame, &sum);
        must(ask(index, questions, questions->positions[i], scratch, &frame, &again) == status && sum == again);
    }
}

/* Checks that a batch gives the same answers as single queries. */
static void ask_many(const framemap_index *index, const struct questions *questions, framemap_scratch *scratch,
                     framemap_scratch *other)
{
    framemap_location_list list;
    if (framemap_index_lookup_many(index, &questions->query, questions->positions, questions->count, scratch, &list,
                                   NULL) != FRAMEMAP_OK)
        return;
    must(list.chain_count == questions->count);
    for (size_t i = 0; i < list.chain_count; i++) {
        const framemap_location_chain *brief = &list.chains[i];
        framemap_frame frame;
        uint64_t sum;
        must(brief->first <= list.location_count && brief->count <= list.location_count - brief->first);
        if (ask(index, questions, questions->positions[i], other, &frame, &sum) != FRAMEMAP_OK || frame.over_limit)
            continue;
        if (brief->count > 0 && list.locations[brief->first + brief->count - 1].flags & FRAMEMAP_LOCATION_OVER_LIMIT)
            continue;
        must(frame.status == brief->status && frame.restored.count == brief->count);
        for (size_t k = 0; k < brief->count; k++) {
            const framemap_location *got = &list.locations[brief->first + k];
            const framemap_frame *wanted = &frame.restored.frames[k];
            must(same(got->function, wanted->function) && same(got->file, wanted->file) && got->line == wanted->line &&
                 got->column == wanted->column);
        }
    }
}

/* Checks that a query with little memory gives the same answer as with enough, or an error. */
static void ask_in_little_memory(const framemap_index *index, const struct questions *questions,
                                 framemap_scratch *scratch, framemap_scratch *other)
{
    enum { LITTLE = 4096 };
    for (size_t i = 0; i < questions->count && i < 4; i++) {
        framemap_frame frame;
        uint64_t sum, again;
        framemap_scratch_limit(other, LITTLE);
        const framemap_status status = ask(index, questions, questions->positions[i], other, &frame, &again);
        must(status == FRAMEMAP_E_MEMORY ||
             status == ask(index, questions, questions->positions[i], scratch, &frame, &sum));
    }
    framemap_scratch_limit(other, 0);
}

/* Whether splitting the index has to succeed, if the index is sound. It must have an id or name that fits into keys,
 * and must not be the head of an index that was split. */
static bool has_values(const framemap_index *index, const framemap_error *error)
{
    framemap_index_info info;
    framemap_index_describe(index, &info);
    if (strcmp(error->message, "this is the head of an index, not an index") == 0) return false;
    const size_t size = info.id.size ? info.id.size : info.name.size;
    return size > 0 && size <= 1024;
}

static void dump(const framemap_index *index, bool sound)
{
    static const char *const formats[] = {"text", "jsonl", "kv"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct fuzz_output output = {.most = MOST_OUTPUT};
        framemap_error error = {0};
        const framemap_status status = framemap_index_dump(index, formats[i], fuzz_write, &output, &error);
        const bool lacks_values = strcmp(formats[i], "kv") == 0 && !has_values(index, &error);
        must(status == FRAMEMAP_OK || !sound || status == FRAMEMAP_E_IO || status == FRAMEMAP_E_MEMORY ||
             (lacks_values && status == FRAMEMAP_E_ARGUMENT));
    }
    struct fuzz_output none = {.most = 0};
    must(framemap_index_dump(index, "none", fuzz_write, &none, NULL) == FRAMEMAP_E_ARGUMENT);
}

static void use(const framemap_index *index, const struct questions *questions, const framemap_allocator *allocator)
{
    framemap_scratch *scratch = NULL, *other = NULL;
    framemap_index_info info;
    framemap_dart_texts texts;
    framemap_error error = {0};
    framemap_index_describe(index, &info);
    must(info.size_bytes > 0);
    (void)framemap_dart_texts_of(index, &texts);
    const framemap_status verified = framemap_index_verify(index, &error);
    must(verified == FRAMEMAP_OK || (verified == FRAMEMAP_E_CORRUPT && error.message[0]) ||
         verified == FRAMEMAP_E_MEMORY);
    if (framemap_scratch_create(allocator, &scratch, NULL) == FRAMEMAP_OK &&
        framemap_scratch_create(allocator, &other, NULL) == FRAMEMAP_OK) {
        ask_each(index, questions, scratch);
        ask_many(index, questions, scratch, other);
        ask_in_little_memory(index, questions, scratch, other);
        const framemap_str name = framemap_demangle_name(scratch, questions->query.scope, questions->query.demangle);
        must(name.size > 0 || questions->query.scope.size == 0);
        dump(index, verified == FRAMEMAP_OK);
    }
    framemap_scratch_free(scratch);
    framemap_scratch_free(other);
    must(!framemap_index_changed(index));
}

static void read_questions(struct questions *questions, struct fuzz_input *input, unsigned style)
{
    static const framemap_address_kind kinds[] = {FRAMEMAP_ADDRESS_NONE, FRAMEMAP_ADDRESS_LINKED,
                                                  FRAMEMAP_ADDRESS_IMAGE, FRAMEMAP_ADDRESS_FILE};
    *questions = (struct questions){.query = FRAMEMAP_QUERY_INIT};
    questions->query.demangle = (framemap_demangle)(style & 3);
    questions->query.address_kind = kinds[fuzz_number(input, 1) % (sizeof kinds / sizeof *kinds)];
    questions->query.scope_number = fuzz_number(input, 2);
    questions->query.no_position = (style & 4) != 0;
    questions->query.context = style & 8 ? 3 : 0;
    while (input->size > 0 && questions->count < MOST_POSITIONS) {
        const uint64_t form = fuzz_number(input, 1);
        questions->positions[questions->count++] = form < 8 ? fuzz_number(input, (unsigned)form + 1) : form - 8;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct fuzz_memory memory;
    struct questions questions;
    framemap_index *index = NULL;
    framemap_error error = {0};
    char path[128];
    const unsigned style = (unsigned)fuzz_number(&input, 1);
    const framemap_str scope = fuzz_text(&input);
    size_t index_size = (size_t)fuzz_number(&input, 2);
    if (index_size > input.size) index_size = input.size;
    /* the block has exactly the size of the index, so that a sanitizer detects a read past its end */
    unsigned char *bytes = malloc(index_size ? index_size : 1);
    if (bytes == NULL) return 0;
    if (index_size) memcpy(bytes, input.data, index_size);
    input.data += index_size;
    input.size -= index_size;
    if (style & 1) fm_fuzz_seal(bytes, index_size, true);
    read_questions(&questions, &input, style >> 1);
    questions.query.scope = scope;

    fuzz_memory_begin(&memory, CEILING);
    const framemap_str all = {(const char *)bytes, index_size};
    const framemap_status status = framemap_index_open(all, &memory.hook, &index, &error);
    must(status == FRAMEMAP_OK || framemap_status_text(error.code)[0] != 0);
    if (status == FRAMEMAP_OK) use(index, &questions, &memory.hook);
    framemap_index_close(index);
    index = NULL;
    /* The same bytes must open from a file with the same result. Files that look like compressed data, or like a
     * kernel with compressed data, are left out, because opening would decompress them. */
    if (index_size % 8 == 0 && !fm_is_compressed(all) && !fm_is_kernel_image(all)) {
        snprintf(path, sizeof path, "%s/a.fmx", fuzz_folder());
        must(fuzz_put(path, all));
        must(framemap_index_open_file(path, &memory.hook, &index, NULL) == status);
        if (status == FRAMEMAP_OK) must(!framemap_index_changed(index));
        framemap_index_close(index);
    }
    fuzz_memory_end(&memory);
    free(bytes);
    return 0;
}
