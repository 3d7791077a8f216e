/* Mapper of mapping.txt by the rules of ProGuard's reader. It groups members by their original class, whatever block
 * they were in. A lookup finds a class by its residual name (in stacks); if no class has that residual name, it finds
 * the class whose original name it is. */
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/buffer.h"
#include "mappers/java/proguard_line.h"
#include "mappers/java/r8_head.h"
#include "mappers/java/r8_mapper.h"
#include "mappers/java/r8_signatures.h"

/* Limit for the number of lines that are written more than once, because their original class has several residual
 * names. Real mappings have no such class. */
#define SHARED_LINES_MOST ((uint64_t)1 << 22)

struct proguard_range {
    framemap_str residual; /* residual name, borrowed from the text */
    uint32_t residual_string, member, next;
    bool is_method;
    struct fm_span span;
};

/* An original class, in an array that is indexed by the builder's number of its name. */
struct proguard_original {
    framemap_str text;
    uint32_t first, last; /* numbers of the first and last member line of the class */
    bool is_written;      /* the class was already written under some residual name */
};

struct proguard_renamed {
    framemap_str residual;
    uint32_t original; /* number of the original name in the builder */
};

struct proguard_job {
    const struct fm_mapper_host *host;
    struct fm_builder *builder;
    framemap_error *error;
    struct fm_r8_signatures signatures;
    struct fm_buf text; /* buffer for a signature */
    struct proguard_range *lines;
    struct proguard_original *originals; /* original classes, indexed by the builder's number of their name */
    /* renamed classes in the order of first occurrence; if several original classes have the same residual name, the
     * last one counts */
    struct proguard_renamed *classes;
    /* order: lines of one class, sorted by residual name; spare: memory for the sorting */
    uint32_t *order, *spare;
    struct fm_span *spans;
    struct fm_table class_table;
    uint64_t key; /* hash key (seed) */
    size_t line_count, line_capacity, original_count, original_capacity, class_count, class_capacity, order_capacity,
        spare_capacity, span_capacity;
    uint32_t current; /* original class of the current block; FM_NONE: no block is open */
    uint64_t line1, shared;
    bool has_warned;
};

/* --- reading the mapping --- */

static framemap_status original_of(struct proguard_job *w, framemap_str text, uint32_t *out)
{
    framemap_status status = fm_builder_name(w->builder, text, out, w->error);
    if (status != FRAMEMAP_OK) return status;
    if (!FM_GROW(w->host->heap, w->originals, w->original_capacity, (size_t)*out + 1)) return fm_error_memory(w->error);
    for (; w->original_count <= *out; w->original_count++)
        w->originals[w->original_count] = (struct proguard_original){.first = FM_NONE, .last = FM_NONE};
    w->originals[*out].text = text;
    return FRAMEMAP_OK;
}

static bool class_equal(const void *context, uint32_t number, const void *key)
{
    return fm_str_equal(((const struct proguard_renamed *)context)[number].residual, *(const framemap_str *)key);
}

static uint64_t text_hash(const struct proguard_job *w, framemap_str text) { return fm_hash_text(text, w->key); }

static framemap_status read_class(struct proguard_job *w, framemap_str line)
{
    framemap_str original, residual;
    w->current = FM_NONE;
    if (!fm_proguard_class_line(line, &original, &residual)) return FRAMEMAP_OK;
    framemap_status status = original_of(w, original, &w->current);
    if (status != FRAMEMAP_OK) return status;
    const uint64_t hash = text_hash(w, residual);
    const uint32_t known = fm_table_find(&w->class_table, hash, class_equal, w->classes, &residual);
    if (known != UINT32_MAX) {
        w->classes[known].original = w->current;
        return FRAMEMAP_OK;
    }
    if (w->class_count >= FM_NONE || !FM_GROW(w->host->heap, w->classes, w->class_capacity, w->class_count + 1) ||
        !fm_table_add(&w->class_table, hash, (uint32_t)w->class_count))
        return fm_error_memory(w->error);
    w->classes[w->class_count++] = (struct proguard_renamed){residual, w->current};
    return FRAMEMAP_OK;
}

static struct fm_span span_of(const struct fm_proguard_member *m)
{
    struct fm_span span = {
        .entry = FM_NONE, .notes = FM_NONE, .original_from = m->original_from, .original_to = m->original_to};
    if (m->has_original) span.flags |= FM_SPAN_ORIGINAL;
    if (m->has_pair) span.flags |= FM_SPAN_PAIR;
    /* ProGuard treats a range that ends at line 0 as absent. It keeps a range whose end is before its start, although
     * no line is in it. */
    if (m->has_residual && m->residual_to != 0) {
        span.flags |= FM_SPAN_RESIDUAL;
        span.residual_from = span.residual_to = INT32_MIN;
        if (m->residual_from <= m->residual_to) {
            span.residual_from = m->residual_from;
            span.residual_to = m->residual_to;
        }
    }
    return span;
}

/* Returns the parts of a signature as slices of "type name(arguments)". */
static struct fm_r8_signature_parts proguard_parts_of(framemap_str text, const struct fm_proguard_member *m)
{
    const size_t name = m->type.size + 1, arguments = name + m->name.size + 1;
    return (struct fm_r8_signature_parts){
        .text = text,
        .type = fm_str_slice(text, 0, m->type.size),
        .name = fm_str_slice(text, name, name + m->name.size),
        .arguments = m->is_method ? fm_str_slice(text, arguments, arguments + m->arguments.size) : m->arguments,
        .is_method = m->is_method};
}

/* Returns the builder's member, with the signature spelled as R8 does, so that equal members get equal numbers. */
static framemap_status proguard_member_of(struct proguard_job *w, const struct fm_proguard_member *m, uint32_t *out)
{
    uint32_t signature;
    uint64_t hash;
    fm_buf_clear(&w->text);
    fm_buf_str(&w->text, m->type);
    fm_buf_byte(&w->text, ' ');
    fm_buf_str(&w->text, m->name);
    if (m->is_method) fm_buf_byte(&w->text, '(');
    if (m->is_method) fm_buf_str(&w->text, m->arguments);
    if (m->is_method) fm_buf_byte(&w->text, ')');
    if (w->text.failed) return fm_error_memory(w->error);
    const struct fm_r8_signature_parts parts = proguard_parts_of(fm_buf_view(&w->text), m);
    signature = fm_r8_signatures_find(&w->signatures, parts.text, &hash);
    framemap_status status = FRAMEMAP_OK;
    if (signature == FM_NONE) status = fm_r8_signatures_add(&w->signatures, &parts, hash, &signature, w->error);
    return status == FRAMEMAP_OK ? fm_r8_signatures_member(&w->signatures, signature, w->current, out, w->error)
                                 : status;
}

static framemap_status proguard_add_line(struct proguard_job *w, const struct fm_proguard_member *m)
{
    const uint32_t number = (uint32_t)w->line_count;
    struct proguard_range line = {
        .residual = m->residual, .next = FM_NONE, .is_method = m->is_method, .span = span_of(m)};
    framemap_status status = proguard_member_of(w, m, &line.span.member);
    if (status == FRAMEMAP_OK) status = fm_builder_string(w->builder, m->residual, &line.residual_string, w->error);
    if (status != FRAMEMAP_OK) return status;
    if (w->line_count >= FM_NONE || !FM_GROW(w->host->heap, w->lines, w->line_capacity, w->line_count + 1))
        return fm_error_memory(w->error);
    line.member = line.span.member;
    w->lines[w->line_count++] = line;
    struct proguard_original *owner = &w->originals[w->current];
    if (owner->first == FM_NONE)
        owner->first = number;
    else
        w->lines[owner->last].next = number;
    owner->last = number;
    return FRAMEMAP_OK;
}

static framemap_status proguard_read_member(struct proguard_job *w, framemap_str line)
{
    struct fm_proguard_member member;
    framemap_error warning = {0};
    switch (fm_proguard_member_line(line, &member)) {
    case FM_PROGUARD_NOTHING: return FRAMEMAP_OK;
    case FM_PROGUARD_MEMBER: return proguard_add_line(w, &member);
    case FM_PROGUARD_NO_NUMBER: break;
    }
    fm_error_line(w->host->strict ? w->error : &warning, FRAMEMAP_E_CORRUPT, w->line1, "a line number is not a number");
    if (w->host->strict) return FRAMEMAP_E_CORRUPT;
    fm_mapper_warn(w->host, &warning);
    return FRAMEMAP_OK;
}

/* Takes the next line as Java splits lines: a lone CR ends one, too. */
static framemap_str proguard_next_line(framemap_str *rest)
{
    size_t size = 0;
    while (size < rest->size && rest->data[size] != '\n' && rest->data[size] != '\r') size++;
    const framemap_str line = fm_str_slice(*rest, 0, size);
    const bool both = size + 1 < rest->size && rest->data[size] == '\r' && rest->data[size + 1] == '\n';
    *rest = fm_str_from(*rest, size + (both ? 2 : 1));
    return line;
}

static framemap_status read_lines(struct proguard_job *w, framemap_str text)
{
    framemap_status status = FRAMEMAP_OK;
    while (text.size > 0 && status == FRAMEMAP_OK) {
        const framemap_str line = fm_proguard_trim(proguard_next_line(&text));
        w->line1++;
        if (fm_str_starts(line, FM_STR("#"))) continue;
        if (fm_str_ends(line, FM_STR(":")))
            status = read_class(w, line);
        else if (w->current != FM_NONE)
            status = proguard_read_member(w, line);
    }
    return status;
}

/* --- writing the records to the builder --- */

/* Merges two sorted runs; for equal names the left one comes first. */
static void proguard_merge(const struct proguard_job *w, const uint32_t *from, uint32_t *to, size_t left, size_t right,
                           size_t end)
{
    size_t a = left, b = right;
    for (size_t at = left; at < end; at++) {
        const bool take_left =
            a < right && (b >= end || w->lines[from[a]].residual_string <= w->lines[from[b]].residual_string);
        to[at] = from[take_left ? a++ : b++];
    }
}

/* Sorts the lines of a class by residual name, and lines of one name in file order (bottom-up merge sort). *count:
 * number of lines. */
static bool sort_lines(struct proguard_job *w, uint32_t first, size_t *count)
{
    size_t n = 0;
    for (uint32_t at = first; at != FM_NONE; at = w->lines[at].next, n++) {
        if (!FM_GROW(w->host->heap, w->order, w->order_capacity, n + 1)) return false;
        w->order[n] = at;
    }
    if (!FM_GROW(w->host->heap, w->spare, w->spare_capacity, n)) return false;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t left = 0; left < n; left += 2 * run) {
            const size_t right = left + run < n ? left + run : n;
            proguard_merge(w, w->order, w->spare, left, right, right + run < n ? right + run : n);
        }
        memcpy(w->order, w->spare, n * sizeof *w->order);
    }
    *count = n;
    return true;
}

/* Writes the lines order[from..to), which have the same residual name. */
static framemap_status write_name(struct proguard_job *w, size_t from, size_t to)
{
    const framemap_str residual = w->lines[w->order[from]].residual;
    framemap_status status = FRAMEMAP_OK;
    size_t count = 0;
    if (!FM_GROW(w->host->heap, w->spans, w->span_capacity, to - from)) return fm_error_memory(w->error);
    for (size_t i = from; i < to && status == FRAMEMAP_OK; i++) {
        const struct proguard_range *line = &w->lines[w->order[i]];
        if (line->is_method)
            w->spans[count++] = line->span;
        else
            status = fm_builder_field(w->builder, residual, line->member, w->error);
    }
    if (count == 0 || status != FRAMEMAP_OK) return status;
    w->spans[0].flags |= FM_SPAN_PART;
    w->spans[0].entry = w->spans[0].member;
    return fm_builder_method(w->builder, residual, w->spans, count, w->error);
}

static void leave_out_members(struct proguard_job *w)
{
    framemap_error warning = {0};
    if (w->has_warned) return;
    w->has_warned = true;
    fm_error_set(&warning, FRAMEMAP_E_LIMIT,
                 "classes of the mapping have too many names and members: some names were given no members");
    fm_mapper_warn(w->host, &warning);
}

static framemap_status write_class(struct proguard_job *w, framemap_str residual, uint32_t number)
{
    struct proguard_original *original = &w->originals[number];
    size_t count;
    framemap_status status = fm_builder_class(w->builder, residual, number, 0, w->error);
    if (status != FRAMEMAP_OK) return status;
    if (!sort_lines(w, original->first, &count)) return fm_error_memory(w->error);
    if (original->is_written && (w->shared += count) > SHARED_LINES_MOST) {
        leave_out_members(w);
        return FRAMEMAP_OK;
    }
    original->is_written = true;
    for (size_t from = 0, to; from < count && status == FRAMEMAP_OK; from = to) {
        to = from + 1;
        while (to < count && w->lines[w->order[to]].residual_string == w->lines[w->order[from]].residual_string) to++;
        status = write_name(w, from, to);
    }
    return status;
}

static framemap_status proguard_write_all(struct proguard_job *w)
{
    framemap_status status = FRAMEMAP_OK;
    const size_t originals = w->original_count;
    for (size_t i = 0; i < w->class_count && status == FRAMEMAP_OK; i++)
        status = write_class(w, w->classes[i].residual, w->classes[i].original);
    for (uint32_t i = 0; i < originals && status == FRAMEMAP_OK; i++) {
        const framemap_str text = w->originals[i].text;
        if (w->originals[i].first == FM_NONE ||
            fm_table_find(&w->class_table, text_hash(w, text), class_equal, w->classes, &text) != UINT32_MAX)
            continue;
        status = write_class(w, text, i);
    }
    return status;
}

/* --- implementing the mapper's row: probe, inspect, build --- */

static void free_work(struct proguard_job *w)
{
    struct fm_heap *heap = w->host->heap;
    fm_r8_signatures_free(&w->signatures);
    fm_buf_free(&w->text);
    fm_table_free(&w->class_table);
    fm_heap_free(heap, w->lines, w->line_capacity * sizeof *w->lines);
    fm_heap_free(heap, w->originals, w->original_capacity * sizeof *w->originals);
    fm_heap_free(heap, w->classes, w->class_capacity * sizeof *w->classes);
    fm_heap_free(heap, w->order, w->order_capacity * sizeof *w->order);
    fm_heap_free(heap, w->spare, w->spare_capacity * sizeof *w->spare);
    fm_heap_free(heap, w->spans, w->span_capacity * sizeof *w->spans);
}

static framemap_status set_about(framemap_str bytes, framemap_str name, struct fm_builder *builder,
                                 framemap_error *error)
{
    struct fm_r8_head head;
    char digits[FM_R8_CONTENT_ID_SIZE];
    fm_r8_head_read(bytes, &head);
    framemap_str id = fm_r8_head_id(&head);
    if (id.size == 0) id = fm_r8_content_id(bytes, digits);
    const struct fm_builder_about about = {.kind = FM_STR(FM_PROGUARD_NAME), .id = id, .name = fm_str_basename(name)};
    framemap_status status = fm_builder_about(builder, &about, error);
    return status == FRAMEMAP_OK ? fm_r8_head_attributes(&head, builder, error) : status;
}

static framemap_status proguard_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                      struct fm_builder *builder, framemap_error *error)
{
    struct proguard_job w = {.host = host, .builder = builder, .error = error, .current = FM_NONE};
    fm_r8_signatures_init(&w.signatures, host->heap, builder);
    fm_buf_init(&w.text, host->heap);
    fm_table_init(&w.class_table, host->heap);
    w.key = fm_hash_key(&w);
    fm_builder_classes(builder);
    framemap_status status = set_about(bytes, name, builder, error);
    if (status == FRAMEMAP_OK) status = read_lines(&w, bytes);
    if (status == FRAMEMAP_OK) status = proguard_write_all(&w);
    if (status == FRAMEMAP_OK && w.class_count == 0 && !host->strict)
        status = fm_error_set(error, FRAMEMAP_E_EMPTY, "no line of this file is a class line of a mapping");
    free_work(&w);
    return status;
}

static int proguard_probe(framemap_str bytes, framemap_str name)
{
    (void)bytes;
    (void)name;
    /* this mapper is never chosen by probing, because the R8 mapper reads the same files and restores more of them */
    return 0;
}

const struct fm_mapper fm_proguard_mapper = {
    .info = {.name = FM_PROGUARD_NAME,
             .summary = "mapping.txt by the rules of ProGuard's retrace; used only when selected by name"},
    .probe = proguard_probe,
    .accepts_unrecognized = true,
    .inspect = fm_r8_inspect,
    .build = proguard_build,
};
