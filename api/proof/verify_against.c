/* The public comparison of an index with its source: runs the mapper with a receiver, then queries the index. */
#include "api/build_input.h"
#include "api/proof/proof.h"
#include "api/proof/proof_classes.h"
#include "api/proof/proof_segments.h"

#include "core/error.h"

/* An attribute that the mapper passed on. */
struct attribute {
    uint32_t key, value; /* numbers of texts */
};
/* Receives the mapper's records. The values that describe the index as a whole are kept here, and compared before the
 * queries. */
struct receiver {
    struct fm_proof *proof;
    struct fm_proof_positions *positions; /* one of positions, classes and segments is created, by the first record */
    struct fm_proof_classes *classes;
    struct fm_proof_segments *segments;
    uint32_t kind, id, arch; /* numbers of texts */
    uint64_t base;
    unsigned address_bits;
    bool big_endian, failed;
    struct attribute *attributes;
    size_t attribute_count, attribute_capacity;
};

/* --- receiving what describes the index as a whole --- */

static framemap_status take_about(void *context, const struct fm_builder_about *about, framemap_error *error)
{
    struct receiver *r = context;
    r->base = about->base;
    r->address_bits = about->address_bits;
    r->big_endian = about->big_endian;
    framemap_status status = fm_proof_intern(r->proof, about->kind, &r->kind, error);
    if (status == FRAMEMAP_OK) status = fm_proof_intern(r->proof, about->arch, &r->arch, error);
    if (status == FRAMEMAP_OK && !about->id_later) status = fm_proof_intern(r->proof, about->id, &r->id, error);
    return status;
}

static void take_id(void *context, framemap_str id)
{
    struct receiver *r = context;
    r->failed |= fm_proof_intern(r->proof, id, &r->id, NULL) != FRAMEMAP_OK;
}

static framemap_status take_attribute(void *context, framemap_str key, framemap_str value, framemap_error *error)
{
    struct receiver *r = context;
    struct attribute fresh;
    framemap_status status = fm_proof_intern(r->proof, key, &fresh.key, error);
    if (status == FRAMEMAP_OK) status = fm_proof_intern(r->proof, value, &fresh.value, error);
    if (status != FRAMEMAP_OK) return status;
    size_t at = 0;
    while (at < r->attribute_count && r->attributes[at].key != fresh.key) at++;
    if (!FM_GROW(r->proof->heap, r->attributes, r->attribute_capacity, at + 1)) return fm_error_memory(error);
    r->attributes[at] = fresh;
    if (at == r->attribute_count) r->attribute_count++;
    return FRAMEMAP_OK;
}

static framemap_status take_string(void *context, framemap_str text, uint32_t *out, framemap_error *error)
{
    return fm_proof_intern(((struct receiver *)context)->proof, text, out, error);
}

/* --- passing records to the receiver of their form --- */

#define FORM(r, form, error)                                                  \
    do {                                                                      \
        if ((r)->form == NULL) (r)->form = fm_proof_##form##_new((r)->proof); \
        if ((r)->form == NULL) return fm_error_memory(error);                 \
    } while (0)

static framemap_status take_scope(void *context, framemap_str key, uint32_t *out, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, positions, error);
    return fm_proof_positions_scope(r->positions, key, out, error);
}

static framemap_status take_batch(void *context, const struct fm_batch *batch, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, positions, error);
    return fm_proof_positions_batch(r->positions, batch, error);
}

static framemap_status take_function(void *context, const struct fm_function *function, uint32_t *out,
                                     framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, positions, error);
    return fm_proof_positions_function(r->positions, function, out, error);
}

static framemap_status take_node(void *context, const struct fm_node *node, uint32_t *out, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, positions, error);
    return fm_proof_positions_node(r->positions, node, out, error);
}

static framemap_status take_alias(void *context, uint32_t root, uint32_t name, framemap_error *error)
{
    return fm_proof_positions_alias(((struct receiver *)context)->positions, root, name, error);
}

static framemap_status take_position(void *context, uint32_t scope, uint64_t position, const struct fm_place *place,
                                     framemap_error *error)
{
    return fm_proof_positions_place(((struct receiver *)context)->positions, scope, position, place, error);
}

static framemap_status take_name(void *context, framemap_str original, uint32_t *out, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, classes, error);
    return fm_proof_classes_name(r->classes, original, out, error);
}

static framemap_status take_name_source(void *context, uint32_t name, framemap_str source, framemap_error *error)
{
    return fm_proof_classes_name_source(((struct receiver *)context)->classes, name, source, error);
}

static framemap_status take_member(void *context, const struct fm_member *member, uint32_t *out, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, classes, error);
    return fm_proof_classes_member(r->classes, member, out, error);
}

static framemap_status take_notes(void *context, const struct fm_note *notes, size_t count, uint32_t *out,
                                  framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, classes, error);
    return fm_proof_classes_notes(r->classes, notes, count, out, error);
}

static framemap_status take_class(void *context, framemap_str residual, uint32_t original_name, uint32_t flags,
                                  framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, classes, error);
    return fm_proof_classes_class(r->classes, residual, original_name, flags, error);
}

static framemap_status take_method(void *context, framemap_str residual, const struct fm_span *spans, size_t count,
                                   framemap_error *error)
{
    return fm_proof_classes_method(((struct receiver *)context)->classes, residual, spans, count, error);
}

static framemap_status take_field(void *context, framemap_str residual, uint32_t member, framemap_error *error)
{
    return fm_proof_classes_field(((struct receiver *)context)->classes, residual, member, error);
}

static framemap_status take_source(void *context, uint32_t address, uint32_t spelled, uint32_t content, uint32_t flags,
                                   uint32_t *out, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, segments, error);
    return fm_proof_segments_source(r->segments, address, spelled, content, flags, out, error);
}

static framemap_status take_segment_name(void *context, framemap_str name, uint32_t *out, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, segments, error);
    return fm_proof_segments_name(r->segments, name, out, error);
}

static framemap_str give_segment_name(void *context, uint32_t name)
{
    return fm_proof_segments_name_text(((struct receiver *)context)->segments, name);
}

static framemap_status take_segments(void *context, const struct fm_segment *segments, size_t count,
                                     framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, segments, error);
    return fm_proof_segments_add(r->segments, segments, count, error);
}

static framemap_status take_source_stretch(void *context, uint32_t source, uint32_t line0, uint32_t col0,
                                           uint32_t function, enum fm_function_origin origin, framemap_error *error)
{
    struct receiver *r = context;
    const struct fm_proof_stretch stretch = {source, line0, col0, function, (uint32_t)origin};
    FORM(r, segments, error);
    return fm_proof_segments_stretch(r->segments, &stretch, error);
}

static framemap_status take_covering(void *context, const struct fm_generated_stretch *stretch, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, segments, error);
    return fm_proof_segments_covering(r->segments, stretch, error);
}

static framemap_status take_call_site(void *context, const struct fm_call_site *site, uint32_t *out,
                                      framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, segments, error);
    return fm_proof_segments_site(r->segments, site, out, error);
}

static framemap_status take_range(void *context, uint32_t line0, uint32_t col0, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, segments, error);
    return fm_proof_segments_range(r->segments, line0, col0, error);
}

static framemap_status take_offsets(void *context, enum fm_offsets_kind kind, uint32_t group, const uint32_t *values,
                                    size_t count, framemap_error *error)
{
    struct receiver *r = context;
    FORM(r, segments, error);
    return fm_proof_segments_offsets(r->segments, (uint32_t)kind, group, values, count, error);
}

static const struct fm_builder_sink sink = {
    .about = take_about,
    .id = take_id,
    .attribute = take_attribute,
    .string = take_string,
    .scope = take_scope,
    .batch = take_batch,
    .function = take_function,
    .node = take_node,
    .alias = take_alias,
    .position = take_position,
    .name = take_name,
    .name_source = take_name_source,
    .member = take_member,
    .notes = take_notes,
    .class_block = take_class,
    .method = take_method,
    .field = take_field,
    .source = take_source,
    .segment_name = take_segment_name,
    .segment_name_text = give_segment_name,
    .segments = take_segments,
    .source_stretch = take_source_stretch,
    .inlined_stretch = take_covering,
    .call_site = take_call_site,
    .segment_range = take_range,
    .offsets = take_offsets,
};

/* --- comparing the index with its source --- */

static framemap_status compare_about(const struct receiver *r)
{
    struct fm_proof *proof = r->proof;
    struct fm_view_about about;
    fm_view_about(fm_proof_view(proof), &about);
    const framemap_str nowhere = {NULL, 0}, id = fm_proof_text(proof, r->id);
    proof->counts.other_build = !fm_str_equal(id, about.id);
    framemap_status status = fm_proof_compare_text(proof, "id", "id", nowhere, id, about.id);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_text(proof, "attribute", "kind", nowhere, fm_proof_text(proof, r->kind), about.kind);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_text(proof, "attribute", "architecture", nowhere, fm_proof_text(proof, r->arch),
                                       about.arch);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_number(proof, "attribute", "base address", nowhere, r->base, about.base);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_number(proof, "attribute", "bits of an address", nowhere, r->address_bits,
                                         about.address_bits);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_number(proof, "attribute", "big endian", nowhere, r->big_endian, about.big_endian);
    return status;
}

static framemap_status compare_attributes(const struct receiver *r)
{
    struct fm_proof *proof = r->proof;
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < r->attribute_count && status == FRAMEMAP_OK; i++) {
        const framemap_str key = fm_proof_text(proof, r->attributes[i].key);
        framemap_str found = {NULL, 0};
        fm_view_attribute(fm_proof_view(proof), key, &found);
        status = fm_proof_compare_text(proof, "attribute", "value", key, fm_proof_text(proof, r->attributes[i].value),
                                       found);
    }
    return status;
}

/* Whether all records of the file are of one form. A file without any record has all forms. */
static bool has_form(const struct receiver *r, enum fm_view_form form)
{
    switch (form) {
    case FM_FORM_CLASSES: return r->positions == NULL && r->segments == NULL;
    case FM_FORM_SEGMENTS: return r->positions == NULL && r->classes == NULL;
    default: return r->classes == NULL && r->segments == NULL;
    }
}

/* If the file has no record, makes an empty receiver of the index's form. The index is then compared with an empty file
 * of its form. */
static framemap_status complete_form(struct receiver *r, enum fm_view_form form)
{
    framemap_error *error = r->proof->error;
    if (form == FM_FORM_CLASSES) FORM(r, classes, error);
    if (form == FM_FORM_SEGMENTS) FORM(r, segments, error);
    if (form == FM_FORM_POSITIONS) FORM(r, positions, error);
    return FRAMEMAP_OK;
}

static framemap_status compare(struct receiver *r)
{
    framemap_status status = compare_about(r);
    if (status == FRAMEMAP_OK) status = compare_attributes(r);
    const enum fm_view_form form = fm_view_identity(fm_proof_view(r->proof))->form;
    /* the records are of another form; then the kind differs too, which was reported already */
    if (!has_form(r, form)) return status;
    if (status == FRAMEMAP_OK) status = complete_form(r, form);
    if (status == FRAMEMAP_OK && r->positions != NULL) status = fm_proof_positions_ask(r->positions);
    if (status == FRAMEMAP_OK && r->classes != NULL) status = fm_proof_classes_ask(r->classes);
    if (status == FRAMEMAP_OK && r->segments != NULL) status = fm_proof_segments_ask(r->segments);
    return status;
}

static framemap_status read_and_compare(const struct fm_build_input *input, struct receiver *r, framemap_error *error)
{
    struct fm_builder *builder;
    framemap_status status = fm_builder_create_for(&sink, r, r->proof->heap, &builder, error);
    if (status != FRAMEMAP_OK) return status;
    status = input->mapper->build(input->bytes, input->name, &input->host, builder, error);
    fm_builder_free(builder);
    if (status == FRAMEMAP_OK && r->failed) status = fm_error_memory(error);
    return status == FRAMEMAP_OK ? compare(r) : status;
}

static framemap_status prove(struct fm_build_input *input, struct fm_proof *proof, framemap_error *error)
{
    struct receiver r = {.proof = proof, .kind = FM_NONE, .id = FM_NONE, .arch = FM_NONE};
    framemap_status status = framemap_scratch_create(input->options.allocator, &proof->scratch, error);
    if (status != FRAMEMAP_OK) return status;
    fm_text_set_init(&proof->texts, proof->heap);
    fm_buf_init(&proof->place, proof->heap);
    fm_buf_init(&proof->said, proof->heap);
    fm_buf_init(&proof->found, proof->heap);
    status = read_and_compare(input, &r, error);
    fm_proof_positions_free(r.positions);
    fm_proof_classes_free(r.classes);
    fm_proof_segments_free(r.segments);
    fm_heap_free(proof->heap, r.attributes, r.attribute_capacity * sizeof *r.attributes);
    fm_buf_free(&proof->place);
    fm_buf_free(&proof->said);
    fm_buf_free(&proof->found);
    fm_text_set_free(&proof->texts);
    framemap_scratch_free(proof->scratch);
    return status;
}

framemap_status framemap_index_verify_against(const framemap_index *index, framemap_str bytes, framemap_str name,
                                              const framemap_build_options *options, framemap_verify_report report,
                                              void *context, framemap_verify_counts *counts, framemap_error *error)
{
    struct fm_build_input input;
    if (index == NULL || counts == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_status status = fm_build_input_open(bytes, name, options, &input, error);
    if (status != FRAMEMAP_OK) return status;
    if (input.options.positions != NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "positions: the comparison is of the whole file");
    struct fm_proof proof = {.heap = &input.heap,
                             .index = index,
                             .report = report,
                             .report_context = context,
                             .progress = input.options.progress,
                             .progress_context = input.options.context,
                             .error = error};
    status = fm_heap_fault(&input.heap, prove(&input, &proof, error), error);
    if (status == FRAMEMAP_OK || proof.stopped) *counts = proof.counts;
    if (status != FRAMEMAP_OK) fm_error_where(error, name);
    return status;
}
