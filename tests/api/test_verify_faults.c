/* Tests that framemap_index_verify_against finds faults that are put into indexes: a bit is flipped and the checksums
 * are corrected, so that the index opens as if it were sound. To decide whether the fault changes an answer, the code
 * under test is not used: framemap_resolve is called with the sound and with the damaged index, for every position near
 * the covered ones, and for every class, member and line. A fault that changes an answer has to be found; other faults
 * are counted by section. */
#include "core/hash/hash.h"
#include "fuzz/support/seal.h"
#include "index/format/layout.h"
#include "index/read/classes/class_view.h"
#include "index/read/segments/segment_view.h"
#include "tests/api/verify_inputs.h"

enum { FLIPS = 30, POSITIONS_MOST = 3000, LINES_MOST = 40, COLUMNS_MOST = 400, NAME_MOST = 600 };

/* --- hashing every answer of an index, one hash for each kind of question --- */

struct answers {
    uint64_t *hashes;
    size_t count, capacity;
};

static uint64_t hash_text(framemap_str text, uint64_t hash)
{
    return fm_hash64(text.data ? text.data : "", text.size, hash + text.size + (text.data != NULL));
}

static uint64_t hash_chain(const framemap_frame_list *chain, uint64_t hash)
{
    for (size_t i = 0; i < chain->count; i++) {
        const framemap_frame *frame = &chain->frames[i];
        const framemap_str texts[] = {frame->class_name, frame->function, frame->symbol,
                                      frame->name,       frame->file,     frame->declared_file};
        const uint64_t numbers[] = {frame->line,
                                    frame->column,
                                    frame->declared_line,
                                    frame->inlined,
                                    frame->artificial,
                                    frame->ignored,
                                    (uint64_t)frame->function_origin,
                                    frame->has_function_offset,
                                    frame->function_offset,
                                    frame->function_size};
        for (size_t t = 0; t < COUNT_OF(texts); t++) hash = hash_text(texts[t], hash);
        hash = fm_hash64(numbers, sizeof numbers, hash);
        for (size_t a = 0; a < frame->alias_count; a++) hash = hash_text(frame->aliases[a], hash);
    }
    return hash + chain->count;
}

static void ask(const framemap_index *index, framemap_scratch *scratch, const framemap_query *query,
                struct answers *answers)
{
    framemap_frame frame;
    uint64_t hash = 1;
    if (framemap_resolve(index, query, scratch, &frame, NULL) == FRAMEMAP_OK) {
        hash = hash_chain(&frame.restored, 2 + (uint64_t)frame.status);
        for (size_t i = 0; i < frame.alternative_count; i++) hash = hash_chain(&frame.alternatives[i], hash);
    }
    if (answers->count == answers->capacity) {
        answers->capacity = answers->capacity ? 2 * answers->capacity : 1024;
        answers->hashes = realloc(answers->hashes, answers->capacity * sizeof *answers->hashes);
        assert_non_null(answers->hashes);
    }
    answers->hashes[answers->count++] = hash;
}

/* Data that the functions below need to query an index. The queries are made from the contents of the view `sound`, so
 * that they are the same for both indexes. */
struct asking {
    const struct fm_view *sound;
    const framemap_index *index;
    framemap_scratch *scratch;
    struct answers *answers;
};

static void ask_addresses(const struct asking *asking)
{
    framemap_str key;
    uint64_t number, first, last;
    for (uint64_t scope = 0; fm_view_scope_at(asking->sound, scope, &key, &number, &first, &last); scope++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.scope = key;
        const uint64_t from = first > 2 ? first - 2 : 0;
        const uint64_t end = last - from < POSITIONS_MOST ? last + 3 : from + POSITIONS_MOST;
        for (query.position = from; query.position < end; query.position++)
            ask(asking->index, asking->scratch, &query, asking->answers);
    }
}

static void ask_map(const struct asking *asking)
{
    struct fm_segments_about about;
    assert_true(fm_view_segments(asking->sound, &about));
    for (uint64_t line0 = 0; line0 <= about.line_count && line0 < POSITIONS_MOST; line0++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.scope_number = line0;
        for (query.position = 0; query.position < (about.line_count > 50 ? LINES_MOST : COLUMNS_MOST * 10);
             query.position++)
            ask(asking->index, asking->scratch, &query, asking->answers);
    }
}

static void ask_name(const struct asking *asking, framemap_str owner, framemap_str member, int lines)
{
    char scope[NAME_MOST];
    framemap_query query = FRAMEMAP_QUERY_INIT;
    snprintf(scope, sizeof scope, "%.*s%s%.*s", (int)owner.size, owner.data, member.size ? "." : "", (int)member.size,
             member.size ? member.data : "");
    query.scope = framemap_str_of(scope);
    query.no_position = true;
    ask(asking->index, asking->scratch, &query, asking->answers);
    query.no_position = false;
    for (int line = 0; line < lines; line++) {
        query.position = (uint64_t)line;
        ask(asking->index, asking->scratch, &query, asking->answers);
    }
}

static void ask_classes(const struct asking *asking)
{
    struct fm_view_class owner;
    struct fm_view_method method;
    for (uint64_t i = 0; fm_view_class_at(asking->sound, i, &owner); i++) {
        ask_name(asking, owner.residual, (framemap_str){NULL, 0}, 1);
        for (uint64_t k = 0; k < owner.method_count; k++)
            if (fm_view_method_at(asking->sound, owner.first_method + k, &method))
                ask_name(asking, owner.residual, method.residual, LINES_MOST);
        for (uint64_t k = 0; k < owner.field_count; k++) {
            framemap_str residual;
            uint32_t member;
            if (fm_view_field_at(asking->sound, owner.first_field + k, &residual, &member))
                ask_name(asking, owner.residual, residual, 0);
        }
    }
}

static void ask_all(const struct fm_view *sound, const framemap_index *index, struct answers *answers)
{
    struct asking asking = {.sound = sound, .index = index, .answers = answers};
    answers->count = 0;
    assert_int_equal(framemap_scratch_create(NULL, &asking.scratch, NULL), FRAMEMAP_OK);
    if (fm_view_is_segments(sound))
        ask_map(&asking);
    else if (fm_view_is_classes(sound))
        ask_classes(&asking);
    else
        ask_addresses(&asking);
    framemap_scratch_free(asking.scratch);
}

/* --- finding the section of a byte --- */

static unsigned section_at(const unsigned char *bytes, size_t at)
{
    const uint32_t sections = fm_load32(bytes + FMX_AT_SECTIONS);
    for (uint32_t i = 0; i < sections; i++) {
        const unsigned char *entry = bytes + FMX_HEADER + i * FMX_ENTRY;
        const uint64_t offset = fm_load64(entry + FMX_ENTRY_OFFSET), size = fm_load64(entry + FMX_ENTRY_SIZE);
        if (at >= offset && at - offset < size) return entry[FMX_ENTRY_ID];
    }
    return 0;
}

/* --- trying one fault --- */

struct counts {
    size_t flips, closed, changed, found, unchanged, unchanged_found, silent_by_section[FMX_SECTION_END];
};

struct subject {
    const struct verify_input *input;
    framemap_str file;
    framemap_bytes bytes; /* the index without faults */
    struct fm_heap heap;
    struct fm_view *view;
    struct answers before, after;
    struct counts *counts;
};

static uint64_t differences_of(const struct subject *subject, const framemap_index *index)
{
    framemap_verify_counts counts;
    framemap_error error;
    const framemap_build_options options = verify_options(subject->input);
    if (framemap_index_verify_against(index, subject->file, framemap_str_of(subject->input->path), &options, NULL, NULL,
                                      &counts, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", subject->input->path, error.message);
    return counts.differences;
}

static void try_fault(struct subject *subject, const unsigned char *damaged, size_t at)
{
    struct counts *counts = subject->counts;
    framemap_index *index;
    const unsigned section = section_at(subject->bytes.data, at);
    counts->flips++;
    if (framemap_index_open(fm_str(damaged, subject->bytes.size), NULL, &index, NULL) != FRAMEMAP_OK) {
        counts->closed++;
        return;
    }
    ask_all(subject->view, index, &subject->after);
    assert_int_equal(subject->after.count, subject->before.count);
    const bool changed = memcmp(subject->before.hashes, subject->after.hashes,
                                subject->after.count * sizeof *subject->after.hashes) != 0;
    const bool found = differences_of(subject, index) > 0;
    framemap_index_close(index);
    if (changed && !found)
        fail_msg("%s: a fault at byte %zu, in section %s, changes an answer and is not found", subject->input->path, at,
                 fm_section_name(section));
    counts->changed += changed;
    counts->found += changed && found;
    counts->unchanged += !changed;
    counts->unchanged_found += !changed && found;
    if (!changed && !found) counts->silent_by_section[section]++;
}

static void try_faults(struct subject *subject)
{
    const size_t head = FMX_HEADER + fm_load32(subject->bytes.data + FMX_AT_SECTIONS) * FMX_ENTRY,
                 room = subject->bytes.size - head - FMX_TAIL, step = room / FLIPS + 1;
    unsigned char *damaged = malloc(subject->bytes.size);
    assert_non_null(damaged);
    for (size_t i = 0; i * step < room; i += TEST_STEP) {
        const size_t at = head + i * step;
        memcpy(damaged, subject->bytes.data, subject->bytes.size);
        damaged[at] ^= (unsigned char)(1u << (i % 8));
        fm_fuzz_seal(damaged, subject->bytes.size, false);
        try_fault(subject, damaged, at);
    }
    free(damaged);
}

static void try_input(const struct verify_input *input, struct counts *counts)
{
    struct subject subject = {.input = input, .file = verify_read(input), .counts = counts};
    framemap_index *index;
    verify_build(input, subject.file, &subject.bytes);
    fm_heap_init(&subject.heap, NULL, 0);
    assert_int_equal(fm_view_open(framemap_bytes_str(&subject.bytes), &subject.heap, &subject.view, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_index_open(framemap_bytes_str(&subject.bytes), NULL, &index, NULL), FRAMEMAP_OK);
    ask_all(subject.view, index, &subject.before);
    assert_int_equal(differences_of(&subject, index), 0);
    framemap_index_close(index);
    try_faults(&subject);
    fm_view_close(subject.view);
    free(subject.before.hashes);
    free(subject.after.hashes);
    framemap_bytes_free(&subject.bytes);
    corpus_free(subject.file);
}

static void every_fault_is_found(void **state)
{
    struct counts counts = {0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(verify_inputs); i++) {
        const size_t before = counts.found;
        try_input(&verify_inputs[i], &counts);
        print_message("%s: %zu faults found\n", verify_inputs[i].path, counts.found - before);
    }
    print_message("%zu bits flipped: %zu changed an answer, all found; %zu changed none (of these %zu were found too); "
                  "%zu indexes did not open\n",
                  counts.flips, counts.changed, counts.unchanged, counts.unchanged_found, counts.closed);
    for (unsigned i = 0; i < FMX_SECTION_END; i++)
        if (counts.silent_by_section[i] > 0)
            print_message("%zu flips in section %s changed no answer\n", counts.silent_by_section[i],
                          fm_section_name(i));
    assert_int_equal(counts.found, counts.changed);
    assert_true(counts.changed >= 200 / TEST_STEP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_fault_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
